#!/usr/bin/env python3
"""Independent reference for the counter o200k_base: OpenAI's own tiktoken over texts invented here.

needs      pip install tiktoken; the file o200k_base.tiktoken, as the tiktoken-rs crate ships it in its folder assets
usage      tiktoken_counts.py O200K_BASE.TIKTOKEN > tiktoken_counts.json

tiktoken reads vocabularies from the network; a copy in its cache folder, named by the SHA-1 of the address, keeps it offline. It checks the file's SHA-256
itself. Counts are those of encode_ordinary: text that spells a special token is text.
"""
import hashlib, importlib.metadata, json, os, shutil, sys, tempfile

ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"

WEATHER = {"name": "get_weather", "description": "Tells the weather of a place, today or on a day of the coming week.", "inputSchema": {"type": "object", "properties": {
    "place": {"type": "string", "description": "City, or latitude and longitude."}, "day": {"type": "string", "format": "date"}, "units": {"type": "string", "enum": ["metric", "imperial"], "default": "metric"}},
    "required": ["place"], "additionalProperties": False}}
COMPACT = {"separators": (",", ":"), "ensure_ascii": False}

TEXTS = {
    "empty": "",
    "one letter": "a",
    "one space": " ",
    "one newline": "\n",
    "schema, compact": json.dumps(WEATHER, **COMPACT),
    "schema, pretty": json.dumps(WEATHER, indent=2),
    "schema, indented by tabs": json.dumps(WEATHER, indent="\t"),
    "schema, OpenAI chat item": json.dumps({"type": "function", "function": {"name": "get_weather", "description": WEATHER["description"], "parameters": WEATHER["inputSchema"]}}, **COMPACT),
    "schema, array of ten tools": json.dumps([{**WEATHER, "name": f"get_weather_{i}"} for i in range(10)], **COMPACT),
    "schema with $ref": '{"$defs":{"Point":{"type":"array","items":{"type":"number"},"minItems":2}},"properties":{"at":{"$ref":"#/$defs/Point"}},"type":"object"}',
    "schema with a pattern": '{"type":"string","pattern":"^[A-Z]{2}\\\\d{6,8}(?:-[a-z0-9_]+)*$","maxLength":64}',
    "escaped JSON inside JSON": json.dumps(json.dumps(json.dumps({"query": "say \"hello\"\n", "path": "C:\\temp\\x"}))),
    "identifiers": "send_email sendEmail SendEmail SEND_EMAIL send-email send.email HTTPServer2 x1y2z3 v2beta1 __init__ $scope @types/node",
    "enum of zones": '"enum":["Europe/Lisbon","America/Argentina/Buenos_Aires","Asia/Ho_Chi_Minh","Etc/GMT+12","UTC"]',
    "numbers": "0 7 42 365 1024 65536 1000000 3.14159265358979 -2.5e-10 1e3 0x1F 0b1010 192.168.10.254 2026-11-30T16:42:00Z 12345678901234567890",
    "prose": "The search tool returns names and short descriptions; the full definition follows with the next request.",
    "prose with quotation marks": "She said, \u201cIt\u2019s not the tool\u2019s fault\u201d \u2013 and he replied: \u2018We\u2019ll see\u2026\u2019",
    "prose, German": "Die Stra\u00dfe \u00fcber den Flu\u00df ist f\u00fcr l\u00e4ngere Zeit gesperrt; bitte w\u00e4hlen Sie \u00d6ffnungszeiten.",
    "prose, Turkish": "\u0130stanbul'da \u0131l\u0131k bir ak\u015fam, \u015fehir \u0131\u015f\u0131klar\u0131 g\u00f6r\u00fcn\u00fcyor.",
    "prose, Russian": "\u041d\u0430\u0439\u0434\u0438 \u0438\u043d\u0441\u0442\u0440\u0443\u043c\u0435\u043d\u0442, \u043a\u043e\u0442\u043e\u0440\u044b\u0439 \u0447\u0438\u0442\u0430\u0435\u0442 \u0444\u0430\u0439\u043b\u044b.",
    "prose, Greek": "\u0392\u03c1\u03b5\u03c2 \u03c4\u03bf \u03c3\u03c9\u03c3\u03c4\u03cc \u03b5\u03c1\u03b3\u03b1\u03bb\u03b5\u03af\u03bf.",
    "prose, Arabic": "\u0627\u0628\u062d\u062b \u0639\u0646 \u0623\u062f\u0627\u0629 \u0644\u0642\u0631\u0627\u0621\u0629 \u0627\u0644\u0645\u0644\u0641\u0627\u062a.",
    "prose, Hebrew with points": "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd \u05e2\u05d5\u05b9\u05dc\u05b8\u05dd",
    "prose, Hindi": "\u092b\u093c\u093e\u0907\u0932 \u092a\u0922\u093c\u0928\u0947 \u0915\u093e \u0909\u092a\u0915\u0930\u0923 \u0916\u094b\u091c\u0947\u0902\u0964",
    "Chinese": "\u67e5\u8be2\u6570\u636e\u5e93\u4e2d\u7684\u8ba2\u5355\uff0c\u5e76\u628a\u7ed3\u679c\u53d1\u9001\u5230\u90ae\u7bb1\u3002",
    "Chinese with English": "\u8c03\u7528get_weather\u5de5\u5177\uff0cplace\u4e3a\u201c\u5317\u4eac\u201d\u3002",
    "Japanese": "\u30d5\u30a1\u30a4\u30eb\u3092\u8aad\u307f\u8fbc\u3093\u3067\u3001\u8981\u7d04\u3092\u4f5c\u6210\u3057\u3066\u304f\u3060\u3055\u3044\u3002\uff8c\uff67\uff72\uff99",
    "Korean": "\ud30c\uc77c\uc744 \uc77d\uace0 \uc694\uc57d\uc744 \uc791\uc131\ud558\uc138\uc694.",
    "Korean, decomposed": "\u1111\u1161\u110b\u1175\u11af\u110b\u1173\u11af \u110b\u1175\u11af\u1100\u1169",
    "Thai": "\u0e04\u0e49\u0e19\u0e2b\u0e32\u0e40\u0e04\u0e23\u0e37\u0e48\u0e2d\u0e07\u0e21\u0e37\u0e2d\u0e2d\u0e48\u0e32\u0e19\u0e44\u0e1f\u0e25\u0e4c",
    "emoji": "\U0001f642\U0001f680\U0001f4c8 done \u2705 \u274c \u26a0\ufe0f",
    "emoji with joiners": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \U0001f9d1\U0001f3fd\u200d\U0001f4bb \U0001f3f3\ufe0f\u200d\U0001f308 \U0001f1f5\U0001f1f9\U0001f1ef\U0001f1f5",
    "combining marks": "e\u0301e\u0301 n\u0303 a\u0308\u0304 Z\u0351\u036f\u0328a\u0334\u0315l\u0317\u0321g\u0336\u0322o\u0310",
    "combining mark first": "\u0301abc \u0308 x",
    "compatibility forms": "\ufb01le \u210c\u2122 \uff21\uff22\uff23 \u2460\u2461 x\u00b2 \u00bd \u216b",
    "format characters": "soft\u00adhyphen zero\u200bwidth \ufeffmark left\u200e\u200fright no\u00a0break thin\u2009space",
    "mathematics": "\u2200x\u2208\u211d: x\u00b2 \u2265 0, \u2211\u1d62\u208c\u2081\u207f i = n(n+1)/2, \U0001d4d0\U0001d4d1",
    "private use and unassigned": "\ue000\uf8ff \U000f0000 \U0010fffd",
    "letters, 300 of one": "a" * 300,
    "letters, 300 capitals": "Z" * 300,
    "letters, alternating case": "aB" * 120,
    "spaces, 200": " " * 200,
    "spaces around words": "a  b   c    d     e      f       g",
    "newlines, 120": "\n" * 120,
    "newlines and spaces": " \n  \n   \n    \n\n\n   x\n",
    "trailing white space": "line one   \nline two\t\t\n   ",
    "tabs": "\t\t\tif x:\n\t\t\t\treturn\t1\n",
    "dashes, 250": "-" * 250,
    "rule of a table": "|---|---:|:---:|\n| a | 1 | b |\n" + "=" * 60 + "\n" + "*" * 41,
    "slashes and brackets": "//////// {{{{[[[[((((<<<<>>>>))))]]]]}}}} ;;;;,,,,....!!!!????",
    "CRLF": "first\r\nsecond\r\n\r\nthird\r\n",
    "lone CR": "first\rsecond\r\rthird",
    "vertical space": "a\x0bb\x0cc\u0085d\u2028e\u2029f",
    "special tokens": "<|endoftext|><|endofprompt|>",
    "special tokens in prose": "Text <|endoftext|> and <|im_start|>system<|im_sep|>x<|im_end|> <|fim_prefix|> are words here, <| not |>.",
    "apostrophes": "don't DON'T it's IT'S we'll We'Ll I've I'm you're he'd o'clock rock'n'roll 'tis 'quoted' ''double''",
    "apostrophes after signs": "\"'s\" ('ll) x's\"y\" users'name a'b'c 7's é's",
    "code, Rust": "fn main() {\n    let x: Vec<u8> = b\"hi\".to_vec(); // comment\n    println!(\"{x:?} {}\", x.len());\n}\n",
    "code, Python": "def f(a, *, b=None):\n    \"\"\"Doc.\"\"\"\n    return [i ** 2 for i in range(a) if i % 2 == 0] or b\n",
    "code, SQL": "SELECT u.id, COUNT(*) AS n FROM users u LEFT JOIN orders o ON o.user_id = u.id WHERE u.name LIKE '%o''b%' GROUP BY 1 HAVING n > 3;",
    "code, shell": "for f in *.json; do jq -c '.tools[] | {name, description}' \"$f\" | wc -c; done 2>/dev/null && echo \"ok: $?\"",
    "code, HTML": "<div class=\"a b\" data-x='1'>&nbsp;<br/><!-- note --></div>",
    "code, regular expression": "(?i)^\\s*(?:[^\\W_]+|\\p{L}\\p{M}*)+(?<=x)\\b{2,}$",
    "address": "https://example.org/a/b%20c?q=tool+search&lang=pt-PT#section-2.1 mailto:someone@example.org",
    "hexadecimal digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "base64": "SW52ZW50ZWQgYnl0ZXMsIG5vIHBpY3R1cmU6IDAxMjM0NTY3ODkgAAEC/v8gYW5kIHNvbWUgbW9yZSBvZiB0aGVtLg==",
    "mixed scripts without spaces": "abc\u6570\u636eDEF\u043a\u043b\u044e\u0447123\u0e44\u0e17\u0e22\U0001f642xyz",
}


def main():
    folder = tempfile.mkdtemp()
    shutil.copy(sys.argv[1], os.path.join(folder, hashlib.sha1(ADDRESS.encode()).hexdigest()))
    os.environ["TIKTOKEN_CACHE_DIR"] = folder
    import tiktoken
    encoding = tiktoken.get_encoding("o200k_base")
    versions = {"tiktoken": importlib.metadata.version("tiktoken"), "python": sys.version.split()[0]}
    vocabulary = hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest()
    lines = [json.dumps({"case": case, "text": text, "tokens": len(encoding.encode_ordinary(text))}) for case, text in TEXTS.items()]
    print('{"made_by": "tiktoken_counts.py", "versions": %s, "vocabulary_sha256": "%s", "texts": [\n%s\n]}' % (json.dumps(versions), vocabulary, ",\n".join(lines)))
    shutil.rmtree(folder)


main()
