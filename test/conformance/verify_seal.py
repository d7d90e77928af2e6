"""A third implementation of the seal rule, written from docs/reference/seal-rule.md alone: Python's standard library and openssl.

  python3 verify_seal.py passport.json [seal-ca.pem [list.crl ...]]
                                                        judges a passport: 0 valid, 1 not valid, 4 fits, but its owner is
                                                        unknown, or whether its certificate is revoked; 2 wrong usage,
                                                        3 cannot be read; the reason on stderr. Lists are DER
  python3 verify_seal.py --vectors seal-vectors.json    judges every published case, as a list in JSON
  python3 verify_seal.py --roots seal-vectors.json      rebuilds every published root, as a list in JSON
"""
import base64, binascii, decimal, functools, hashlib, json, os, re, subprocess, sys, tempfile, time
from urllib.parse import quote

REDACTED = "[REDACTED - Privileged Access Required]"
SUBJECT = "@passport"


class Refused(Exception):
    """The document does not hold; the message names the place."""


class Unreadable(Refused):
    """No document at all: no UTF-8, no JSON, too large."""


class BadAuthority(Refused):
    """The seal CA certificate is not a CA certificate."""


class Unknown(Refused):
    """Nothing speaks against it, and something that was asked is not known."""


def demand(holds, reason, kind=Refused):
    if not holds:
        raise kind(reason)


# ---- T. Text

MAX_BYTES, MAX_DEPTH, MAX_MEMBERS, LONGEST_NAME = 3_145_728, 66, 100_000, 256
TOKEN = re.compile(
    r'[ \t\n\r]*(?:([\[\]{}:,])|("[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")'
    r"|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|true|false|null)[ \t\n\r]*"
)


STEPS = {"{": 1, "[": 1, "}": -1, "]": -1}


def utf16(text):
    return text.encode("utf-16-be", "surrogatepass")


def parse(data):
    """The value of a JSON text that every reader understands in one way."""
    demand(len(data) <= MAX_BYTES, f"The document is larger than {MAX_BYTES} bytes.", Unreadable)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("The text is not UTF-8.")
    text = text[1:] if text.startswith("\ufeff") else text
    depth = names = at = 0
    while at < len(text):  # bounds first: the parser below goes as deep as the text
        token = TOKEN.match(text, at)
        if token is None:
            raise Unreadable(f"The text is not JSON (at character {at}).")
        at = token.end()
        depth += STEPS.get(token[1], 0)
        names += token[1] == ":"
        if depth > MAX_DEPTH:
            raise Refused(f"The document is nested more than {MAX_DEPTH} levels deep.")
        if names > MAX_MEMBERS:
            raise Refused(f"The document has more than {MAX_MEMBERS} members.")
    try:
        value = json.loads(text, object_pairs_hook=members_of, parse_int=number, parse_float=number)
    except ValueError:
        raise Unreadable("The text is not JSON.")
    demand_clean(value)
    return value


def members_of(pairs):
    found = {}
    for name, value in pairs:
        demand(len(utf16(name)) <= 2 * LONGEST_NAME, f"A name is longer than {LONGEST_NAME} characters.")
        demand(name not in ("__proto__", "constructor", "prototype"), f"The member name {name} is forbidden.")
        demand(name not in found, f"{name!r} is there twice.")
        demand_clean(name)
        found[name] = value
    return found


def demand_clean(value):
    if isinstance(value, str):
        demand("\0" not in value, "A string contains the character U+0000.")
        demand(not re.search("[\ud800-\udfff]", value), "A text contains a lone surrogate.")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        demand_clean(inner)


def number(literal):
    value = float(literal)
    if len(literal) < 16 and literal.isdigit():  # a double holds it as it is
        return value
    given, held = decimal_of(literal), decimal_of(repr(value))
    demand(given[0] == "" or given == held, f"{literal[:40]} is no number that a double holds.")
    return value


def decimal_of(literal):
    """A literal as digits without zeros at either end, and the power of ten of the last one; no digits: zero."""
    mantissa, _, exponent = literal.lower().lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).rstrip("0")
    power = len(whole + fraction) - len(digits) - len(fraction)
    # No text has room for digits that would balance an exponent of more than eight of them.
    small = exponent.lstrip("+-0")[:9]
    return digits.lstrip("0"), power + (int(small or "0") * (-1 if exponent.startswith("-") else 1))


# ---- RFC 8785 and RFC 9162


def number_text(value):
    """ECMAScript's Number::toString, which RFC 8785 section 3.2.2.3 prescribes."""
    if value == 0:
        return "0"
    sign, digits, exponent = decimal.Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    point = len(digits) + exponent  # the value is 0.text times 10 to this power
    if len(text) <= point <= 21:
        text += "0" * (point - len(text))
    elif 0 < point <= 21:
        text = text[:point] + "." + text[point:]
    elif -6 < point <= 0:
        text = "0." + "0" * -point + text
    else:
        text = text[0] + ("." + text[1:] if len(text) > 1 else "") + f"e{point - 1:+d}"
    return ("-" if sign else "") + text


def canonical(value):
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    members = sorted(value.items(), key=lambda member: utf16(member[0]))
    return "{" + ",".join(f"{canonical(key)}:{canonical(item)}" for key, item in members) + "}"


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def tree(leaves):
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\1", tree(leaves[:split]), tree(leaves[split:]))


def salt_of(text):
    return base64.urlsafe_b64decode(text + "==")


def sealed_keys(metadata):
    return sorted([*metadata, SUBJECT], key=utf16)


def rebuild(metadata, proof):
    """The root (hex) of what is shown; where nothing is masked, `redactedLeaves` may be missing."""
    leaves = []
    for key in sealed_keys(metadata):
        if key in proof.get("redactedLeaves", {}):
            leaves.append(bytes.fromhex(proof["redactedLeaves"][key]))
        else:
            value = proof["subject"] if key == SUBJECT else metadata[key]
            leaves.append(sha256(b"\0", salt_of(proof["salts"][key]), canonical([key, value]).encode()))
    return tree(leaves).hex()


# ---- F. Form

FIXED = set(
    "@context @type @id id productId digitalLinkUri uniqueProductIdentifier digitalSeal signingPublicKey status archivedAt "
    "retentionUntil proof createdAt updatedAt economicOperator manufacturingFacility metadata".split()
)
NEEDED_IN_PROOF = set(
    "type @type signatureAlgorithm created proofPurpose verificationMethod signatureValue publicKeyPem merkleRoot salts "
    "subject".split()
)
PROOF = NEEDED_IN_PROOF | {"x5c", "rfc3161", "redactedLeaves"}
OPERATOR = set("@type id name regId role contact".split())
CONTACT = set("address email phone website".split())
ADDED_LISTS = {
    "media": set("id kind mediaType title url sizes documentType language sha256".split()),
    "links": set("rel target identifier since".split()),
}
ADDED_OBJECTS = {
    "recall": set("reason at contact url".split()),
    "registration": set("registry identifier registeredAt version hash proof".split()),
}
ADDED_TEXTS = {"granularity", "availableUntil"}
FACILITY = set("@type id gln name activity country streetAddress city postalCode".split())
STATUS = ("DRAFT", "ACTIVE", "RECALLED", "DECOMMISSIONED")


def members(value, place, allowed=None, needed=()):
    demand(isinstance(value, dict), f"{place} is not an object.")
    for name in value if allowed is not None else ():
        demand(name in allowed, f"{place} has the unknown member {name}.")
    for name in needed:
        demand(name in value, f"{place}.{name} is missing.")
    return value


def text(value, place, pattern=None):
    demand(isinstance(value, str), f"{place} is not a text.")
    demand(pattern is None or re.fullmatch(pattern, value), f"{place} is malformed.")
    return value


def same(value, expected, place):
    demand(isinstance(value, type(expected)) and value == expected, f"{place} is not {json.dumps(expected)}.")


def strict_base64(value, place, most=None):
    try:
        data = base64.b64decode(text(value, place).encode(), validate=True)
    except (binascii.Error, ValueError):
        data = b""
    demand(data and base64.b64encode(data).decode() == value, f"{place} is not canonical Base64.")
    demand(most is None or len(data) <= most, f"{place} has more than {most} bytes.")
    return data


def check_form(document):
    members(document, "The document")
    same(document.get("@type"), "DigitalProductPassport", "@type")
    metadata = members(document.get("metadata"), "metadata")
    proof = members(document.get("proof"), "proof", PROOF, NEEDED_IN_PROOF)
    demand(metadata, "metadata is empty.")
    for name in document.keys() - FIXED:
        if name not in metadata:
            check_addition(name, document[name])
        else:
            demand(canonical(document[name]) == canonical(metadata[name]), f"{name} differs from metadata.{name}.")
    check_names(metadata)
    check_references(document)
    check_proof(proof)
    for name, value in ("digitalSeal", proof["signatureValue"]), ("signingPublicKey", proof["publicKeyPem"]):
        if name in document:
            same(document[name], value, name)
    check_addresses(document)


def check_addition(name, value):
    if name in ADDED_TEXTS:
        text(value, name)
    elif name in ADDED_OBJECTS:
        members(value, name, ADDED_OBJECTS[name])
    else:
        demand(name in ADDED_LISTS and isinstance(value, list), f"{name} is not part of the sealed content.")
        for item in value:
            members(item, name, ADDED_LISTS[name])
    check_names(value)


def check_names(value):
    if isinstance(value, dict):
        for name in value:
            demand(not name.startswith("@"), f"The member name {name} must not begin with @.")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_names(inner)


def check_references(document):
    operator = members(document.get("economicOperator"), "economicOperator", OPERATOR)
    for name, value in operator.items():
        if name != "contact":
            text(value, f"economicOperator.{name}")
    for name, value in members(operator.get("contact", {}), "economicOperator.contact", CONTACT).items():
        text(value, f"economicOperator.contact.{name}")
    same(operator.get("@type", "EconomicOperator"), "EconomicOperator", "economicOperator.@type")
    facility = document.get("manufacturingFacility")
    if facility is not None:
        for name, value in members(facility, "manufacturingFacility", FACILITY).items():
            demand(value is None or isinstance(value, str), f"manufacturingFacility.{name} is not a text.")
        same(facility.get("@type", "Facility"), "Facility", "manufacturingFacility.@type")
    if "status" in document:
        demand(document["status"] in STATUS, "status is not a valid status.")
    for name in ("archivedAt", "retentionUntil", "createdAt", "updatedAt"):
        value = document.get(name)
        demand(value is None or isinstance(value, str), f"{name} is not a text.")


def check_proof(proof):
    same(proof["type"], "MerkleTreeAttestationProof", "proof.type")
    same(proof["@type"], ["MerkleTreeAttestationProof"], "proof.@type")
    same(proof["signatureAlgorithm"], "ECDSA-P256-SHA256-over-MerkleRoot", "proof.signatureAlgorithm")
    same(proof["proofPurpose"], "assertionMethod", "proof.proofPurpose")
    text(proof["merkleRoot"], "proof.merkleRoot", "[0-9a-f]{64}")
    strict_base64(proof["signatureValue"], "proof.signatureValue")
    read_key(proof["publicKeyPem"])
    moment(text(proof["created"], "proof.created"), ISO, "proof.created")
    for key, salt in members(proof["salts"], "proof.salts").items():
        text(salt, f"proof.salts.{key}", "[A-Za-z0-9_-]{22}")
        spelling = base64.urlsafe_b64encode(salt_of(salt)).decode()
        demand(spelling == salt + "==", f"proof.salts.{key} is not canonical base64url.")
    for key, leaf in members(proof.get("redactedLeaves", {}), "proof.redactedLeaves").items():
        text(leaf, f"proof.redactedLeaves.{key}", "[0-9a-f]{64}")
    if "x5c" in proof:
        demand(isinstance(proof["x5c"], list) and len(proof["x5c"]) in (1, 2), "proof.x5c is not a list of one or two.")
        for entry in proof["x5c"]:
            strict_base64(entry, "proof.x5c", 8192)
    if "rfc3161" in proof:
        stamp = members(proof["rfc3161"], "proof.rfc3161", {"genTime", "token"}, {"token"})
        demand(isinstance(stamp.get("genTime"), (str, type(None))), "proof.rfc3161.genTime is not a text.")
        strict_base64(stamp["token"], "proof.rfc3161.token", 16_384)


ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.([0-9]{3})Z")
UTC_TIME = re.compile(r"([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})()Z")
GENERALIZED_TIME = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})()Z")
DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def moment(written, form, place):
    """A real time as a tuple that can be compared: year, month, day, hour, minute, second, millisecond."""
    found = form.fullmatch(written)
    demand(found, f"{place} is not a timestamp as YYYY-MM-DDThh:mm:ss.sssZ.")
    year, month, day, hour, minute, second, milli = (int(digits or 0) for digits in found.groups())
    if form is UTC_TIME:
        year += 2000 if year < 50 else 1900
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    demand(1 <= month <= 12, f"{place} is no real date.")
    days = DAYS[month - 1] + (month == 2 and is_leap)
    demand(1 <= day <= days and hour < 24 and minute < 60 and second < 60, f"{place} is no real date.")
    return year, month, day, hour, minute, second, milli


def is_by_language(document, term, meaning, address):
    """Whether a name of @context is for texts by language, and the metadata has such texts under it."""
    value = members(document.get("metadata"), "metadata").get(term)
    if meaning != {"@id": address, "@container": "@language"} or not isinstance(value, dict):
        return False
    tag = re.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
    return all(isinstance(words, str) and tag.fullmatch(language) for language, words in value.items())


def check_addresses(document):
    proof, product = document["proof"], text(document.get("productId"), "productId")
    end = f"/passport/{text(members(proof['subject'], 'proof.subject').get('id'), 'proof.subject.id')}#key-1"
    method = text(proof["verificationMethod"], "proof.verificationMethod")
    base = method[: -len(end)]
    is_ours = method.endswith(end) and re.fullmatch(r"https?://[!-~]+", base) and not re.search("[#?]", base)
    demand(is_ours, "proof.verificationMethod does not belong to this passport.")
    links = [f"{base}/{key}/{quote(product, safe='-_.~')}" for key in ("01", "8003")]
    for name in ("@id", "digitalLinkUri"):
        demand(name not in document or document[name] in links, f"{name} does not link to this product.")
    identifiers = [product] if re.fullmatch("(did:[a-z0-9]+:|https?://)[!-~]+", product) else links
    is_identified = document.get("uniqueProductIdentifier", identifiers[0]) in identifiers
    demand(is_identified, "uniqueProductIdentifier does not identify this product.")
    if "@context" in document:
        context = document["@context"]
        demand(isinstance(context, list) and len(context) == 2, "@context is not a list of two.")
        same(context[0], f"{base}/context/v1", "@context[0]")
        for term, meaning in members(context[1], "@context[1]").items():
            encoded = quote(term, safe="-_.!~*'()")
            plain = (f"{base}/ns/dpp#{term}", f"{base}/context/v1#{encoded}")
            is_ours = meaning in plain if isinstance(meaning, str) else is_by_language(document, term, meaning, plain[1])
            demand(is_ours and not term.startswith("@"), f"@context redefines {term}.")


# ---- S, M, P. Subject, masks, places


def check_subject(document, now):
    needed = {"id", "productId", "operator", "created", "maskable"}
    subject = members(document["proof"]["subject"], "proof.subject", needed, needed)
    operator = members(subject["operator"], "proof.subject.operator", {"id", "regId"}, {"id", "regId"})
    for place, sealed, given in (
        ("id", subject["id"], document.get("id")),
        ("productId", subject["productId"], document.get("productId")),
        ("economicOperator.id", operator["id"], document["economicOperator"].get("id")),
        ("economicOperator.regId", operator["regId"], document["economicOperator"].get("regId")),
        ("proof.created", subject["created"], document["proof"]["created"]),
    ):
        demand(isinstance(sealed, str) and isinstance(given, str) and given == sealed, f"{place} differs from the sealed value.")
    maskable = subject["maskable"]
    demand(isinstance(maskable, list), "proof.subject.maskable is not a list.")
    for key in maskable:
        known = isinstance(key, str) and key in document["metadata"]
        demand(known, "proof.subject.maskable lists a key that is not in metadata.")
    in_order = all(utf16(a) < utf16(b) for a, b in zip(maskable, maskable[1:]))
    demand(in_order, "proof.subject.maskable is not sorted.")
    limit = time.gmtime(now + 300)[:6] + (int(now * 1000) % 1000,)
    demand(moment(subject["created"], ISO, "proof.created") <= limit, "proof.created is in the future.")


def check_masks(document):
    metadata, proof = document["metadata"], document["proof"]
    salts, hidden = proof["salts"], proof.get("redactedLeaves", {})
    for key, value in metadata.items():
        is_masked = isinstance(value, str) and value == REDACTED
        demand(is_masked != (key in salts), f"{key}: {'masked, and has' if is_masked else 'shown without'} a salt.")
        demand(is_masked == (key in hidden), f"{key}: {'masked without' if is_masked else 'shown, and has'} a masked leaf.")
        demand(not is_masked or key in proof["subject"]["maskable"], f"{key} may not be masked.")
    demand(SUBJECT in salts, "The salt of @passport is missing.")
    for key in salts.keys() | hidden.keys():
        demand(key in metadata or (key == SUBJECT and key not in hidden), f"{key}: a salt or a leaf of nothing.")


def check_places(document):
    keys = sealed_keys(document["metadata"])
    demand(len(keys) < 65_536, "There are more entries than a salt can count.")
    for index, key in enumerate(keys):
        salt = document["proof"]["salts"].get(key)
        is_here = salt is None or salt_of(salt)[:4] == index.to_bytes(2, "big") + len(keys).to_bytes(2, "big")
        demand(is_here, f"{key} was sealed at another position, or with another number of entries.")


# ---- G. Signature

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
SPKI_PREFIX = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")


def check_point(spki, place):
    demand(len(spki) == 91 and spki.startswith(SPKI_PREFIX), f"{place} is not a P-256 key.")
    x, y = (int.from_bytes(spki[at : at + 32], "big") for at in (27, 59))
    demand(x < P and y < P and (y * y - x**3 + 3 * x - B) % P == 0, f"{place} is not a point on the curve P-256.")


def read_key(pem):
    form = r"-----BEGIN PUBLIC KEY-----\n([^\n]{64})\n([^\n]{60})\n-----END PUBLIC KEY-----"
    found = re.fullmatch(form, text(pem, "proof.publicKeyPem"))
    demand(found, "proof.publicKeyPem is not one public key in PEM.")
    spki = strict_base64(found[1] + found[2], "proof.publicKeyPem")
    check_point(spki, "proof.publicKeyPem")
    return spki


def read_signature(data, place):
    outer = der(data, place)
    demand(len(outer) == 1 and outer[0].tag == 0x30 and len(outer[0].parts) == 2, f"{place} is malformed.")
    r, s = (integer(part, place) for part in outer[0].parts)
    demand(1 <= r < ORDER and 1 <= s < ORDER, f"{place} is out of range.")
    return s


@functools.lru_cache(maxsize=256)
def is_signed_by(spki, signature, data):
    pem = "-----BEGIN PUBLIC KEY-----\n" + base64.encodebytes(spki).decode() + "-----END PUBLIC KEY-----\n"
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, content in ("key.pem", pem.encode()), ("signature", signature), ("data", data):
            files.append(os.path.join(folder, name))
            with open(files[-1], "wb") as out:
                out.write(content)
        key, sealed, signed = files
        command = ("openssl", "dgst", "-sha256", "-verify", key, "-signature", sealed, signed)
        return subprocess.run(command, capture_output=True).returncode == 0


def check_signature(proof):
    signature = strict_base64(proof["signatureValue"], "proof.signatureValue")
    s = read_signature(signature, "proof.signatureValue")
    demand(s <= ORDER // 2, "proof.signatureValue is not canonical: s is in the upper half of the range.")
    is_signed = is_signed_by(read_key(proof["publicKeyPem"]), signature, proof["merkleRoot"].encode())
    demand(is_signed, "The key of the proof did not sign this root.")


# ---- C. Certificate


class Element:
    def __init__(self, tag, content, raw, parts):
        self.tag, self.content, self.raw, self.parts = tag, content, raw, parts


def der(data, place, depth=1):
    """The elements of strict DER one after another, each with those inside it."""
    demand(depth <= 16, f"{place} is nested too deeply.")
    elements, at = [], 0
    while at < len(data):
        demand(at + 2 <= len(data) and data[at] & 0x1F != 0x1F, f"{place} is not DER.")
        tag, length, start = data[at], data[at + 1], at + 2
        if length >= 0x80:
            digits = data[start : start + length - 0x80]
            demand(1 <= len(digits) == length - 0x80 <= 3 and digits[0] != 0, f"{place} is not DER.")
            start, length = start + len(digits), int.from_bytes(digits, "big")
            demand(length >= 0x80, f"{place} is not DER.")
        content = data[start : start + length]
        demand(len(content) == length, f"{place} is not DER.")
        parts = der(content, place, depth + 1) if tag & 0x20 else []
        elements.append(Element(tag, content, data[at : start + length], parts))
        at = start + length
    return elements


def tags(elements, expected, place):
    demand([element.tag for element in elements] == expected, f"{place} is not a certificate in DER.")
    return elements


def integer(element, place):
    digits = element.content
    demand(element.tag == 0x02 and digits, f"{place} has a malformed number.")
    value = int.from_bytes(digits, "big", signed=True)
    padded = len(digits) > 1 and (digits[0], digits[1] >> 7) in ((0, 0), (0xFF, 1))
    demand(not padded, f"{place} has a malformed number.")
    return value


def time_of(element, place):
    form = {0x17: UTC_TIME, 0x18: GENERALIZED_TIME}.get(element.tag)
    demand(form, f"{place} has a malformed time.")
    return moment(element.content.decode("latin-1"), form, f"A time of {place.lower()}")


class Certificate:
    def __init__(self, data, place):
        (outer,) = tags(der(data, place), [0x30], place)
        tbs, algorithm, signature = tags(outer.parts, [0x30, 0x30, 0x03], place)
        fields = tags(tbs.parts, [0xA0, 0x02, 0x30, 0x30, 0x30, 0x30, 0x30, 0xA3], place)
        version, serial, inner, issuer, validity, subject, spki, extensions = fields
        demand(version.content == b"\x02\x01\x02" and signature.content[:1] == b"\0", f"{place} is not a certificate in DER.")
        self.serial = integer(serial, place)
        demand(len(validity.parts) == 2, f"{place} is not a certificate in DER.")
        self.raw, self.tbs, self.signature = data, tbs.raw, signature.content[1:]
        self.algorithms = {algorithm.raw, inner.raw}
        self.begin, self.end = (time_of(part, place) for part in validity.parts)
        self.issuer, self.subject, self.spki = issuer.raw, subject.raw, spki.raw
        self.name = self.common_name(subject)
        (self.extension_list,) = tags(extensions.parts, [0x30], place)

    @staticmethod
    def common_name(subject):
        for attribute in (attribute for group in subject.parts for attribute in group.parts):
            if len(attribute.parts) == 2 and attribute.parts[0].content == b"\x55\x04\x03":
                return attribute.parts[1].content.decode("utf-8", "replace")
        return "an owner without a name"


def read_extensions(elements, place):
    """Content and criticality by the bytes of the identifier."""
    found = {}
    for extension in elements:
        parts = extension.parts
        is_critical = len(parts) == 3
        expected = [0x06, 0x01, 0x04] if is_critical else [0x06, 0x04]
        well = extension.tag == 0x30 and [part.tag for part in parts] == expected
        demand(well and (not is_critical or parts[1].content == b"\xff"), f"{place} has a malformed extension.")
        demand(parts[0].content not in found, f"{place} has an extension twice.")
        found[parts[0].content] = (parts[-1].content, is_critical)
    return found


KEY_USAGE, BASIC_CONSTRAINTS, EXTENDED_KEY_USAGE = b"\x55\x1d\x0f", b"\x55\x1d\x13", b"\x55\x1d\x25"
ECDSA_WITH_SHA256 = bytes.fromhex("300a06082a8648ce3d040302")


def read_usage(extensions, place):
    """Whether the key may sign data, and whether it may sign certificates."""
    demand(KEY_USAGE in extensions, f"{place} has no key usage.")
    found = der(extensions[KEY_USAGE][0], place)
    demand(len(found) == 1 and found[0].tag == 0x03, f"{place} has a malformed key usage.")
    bits = found[0].content
    well = len(bits) in (2, 3) and bits[0] <= 7 and bits[-1] & ((1 << bits[0]) - 1) == 0
    demand(well, f"{place} has a malformed key usage.")
    return bool(bits[1] & 0x80), bool(bits[1] & 0x04)


def read_is_ca(extensions, place):
    if BASIC_CONSTRAINTS not in extensions:
        return False
    found = der(extensions[BASIC_CONSTRAINTS][0], place)
    demand(len(found) == 1 and found[0].tag == 0x30, f"{place} has malformed basic constraints.")
    parts = found[0].parts
    is_ca = bool(parts) and parts[0].tag == 0x01
    well = not is_ca or parts[0].content == b"\xff"
    demand(well and len(parts) - is_ca <= 1, f"{place} has malformed basic constraints.")
    for part in parts[is_ca:]:
        integer(part, place)
    return is_ca


MAX_AUTHORITIES = 8


def read_authorities(pem):
    """The seal CAs of a PEM: one to eight certificates, with nothing but white space around them."""
    *blocks, behind = pem.split("-----END CERTIFICATE-----")
    found = [re.fullmatch(r"\s*-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)", block) for block in blocks]
    if not 1 <= len(found) <= MAX_AUTHORITIES or not all(found) or behind.strip():
        raise BadAuthority(f"The seal CA file must contain 1 to {MAX_AUTHORITIES} certificates in PEM.")
    return [read_authority(block[1]) for block in found]


def read_authority(block):
    try:
        place = "The seal CA"
        authority = Certificate(strict_base64(re.sub(r"\s", "", block), place), place)
        check_point(authority.spki, place)
        extensions = read_extensions(authority.extension_list.parts, place)
        is_for_certificates = read_usage(extensions, place)[1] and read_is_ca(extensions, place)
        demand(is_for_certificates, "The seal CA certificate is not a CA certificate (basicConstraints CA and keyCertSign required).")
        return authority
    except Refused as error:
        raise BadAuthority(str(error))


def check_certificate(proof, pem):
    """Whose the key of the proof is, as the seal CA says."""
    authorities, place = read_authorities(pem), "The certificate"
    demand("x5c" in proof, "The proof has no certificate, so the owner of its key is not certified.")
    chain = [strict_base64(entry, "proof.x5c") for entry in proof["x5c"]]
    leaf = Certificate(chain[0], place)
    demand(leaf.algorithms == {ECDSA_WITH_SHA256}, f"{place} is not signed with ECDSA and SHA-256.")
    demand(leaf.spki == read_key(proof["publicKeyPem"]), f"{place} is for another key.")
    named = [one for one in authorities if leaf.issuer == one.subject]
    demand(named, f"{place} was not issued by this seal CA.")
    read_signature(leaf.signature, place)
    signers = [one for one in named if is_signed_by(one.spki, leaf.signature, leaf.tbs)]
    demand(signers, f"{place} was not signed by this seal CA.")
    authority = signers[0]
    created = moment(proof["created"], ISO, "proof.created")
    for one in leaf, authority:
        demand(one.begin <= created <= one.end, f"A certificate was not valid at {proof['created']}.")
    extensions = read_extensions(leaf.extension_list.parts, place)
    signs_data, signs_certificates = read_usage(extensions, place)
    is_for_seals = signs_data and not signs_certificates and not read_is_ca(extensions, place)
    demand(is_for_seals and EXTENDED_KEY_USAGE not in extensions, f"{place} is not a certificate for seals.")
    for name, (_, is_critical) in extensions.items():
        understood = name in (KEY_USAGE, BASIC_CONSTRAINTS)
        demand(understood or not is_critical, f"{place} has an unknown critical extension.")
    demand(chain[1:] in ([], [authority.raw]), "The second certificate of the chain is not the seal CA certificate.")
    return leaf, authority


# ---- L. Lists of revoked certificates

MAX_LIST_BYTES = 1_048_576


class RevocationList:
    """A list (RFC 5280 section 5), which nobody may have signed; raises Refused for what has an unknown critical extension."""

    def __init__(self, data):
        place = "The list"
        demand(len(data) <= MAX_LIST_BYTES, f"{place} is too long.")
        (outer,) = tags(der(data, place), [0x30], place)
        tbs, algorithm, signature = tags(outer.parts, [0x30, 0x30, 0x03], place)
        fields = list(tbs.parts)
        revoked = fields.pop(5).parts if len(fields) == 7 and fields[5].tag == 0x30 else []
        demand(len(fields) == 6, f"{place} has another form.")
        version, inner, issuer, begin, end, extensions = fields
        tags([version, inner, issuer, extensions], [0x02, 0x30, 0x30, 0xA0], place)
        demand(version.content == b"\x01" and signature.content[:1] == b"\0", f"{place} is of another version.")
        self.demand_plain(tags(extensions.parts, [0x30], place)[0].parts)
        self.tbs, self.issuer, self.signature = tbs.raw, issuer.raw, signature.content[1:]
        self.algorithms = {algorithm.raw, inner.raw}
        self.begin, self.end = time_of(begin, place), time_of(end, place)
        self.revoked = dict(self.entry(element) for element in revoked)
        read_signature(self.signature, place)

    def entry(self, element):
        demand(element.tag == 0x30 and len(element.parts) in (2, 3), "The list has another form.")
        serial, since, *more = element.parts
        self.demand_plain(more[0].parts if more else [])
        return integer(serial, "The list"), time_of(since, "The list")

    @staticmethod
    def demand_plain(elements):
        for _, is_critical in read_extensions(elements, "The list").values():
            demand(not is_critical, "The list has an unknown critical extension.")


def read_lists(lists):
    for data in lists:
        try:
            yield RevocationList(data)
        except Refused:
            pass  # what is no list says nothing


def check_revocation(created, leaf, authority, lists, now):
    """Raises Refused where the certificate was revoked before the seal, and Unknown where nobody knows."""
    named = [one for one in read_lists(lists) if one.issuer == authority.subject and one.algorithms == {ECDSA_WITH_SHA256}]
    own = [one for one in named if is_signed_by(authority.spki, one.signature, one.tbs)]
    demand(own, "no certificate revocation list of its seal CA was given", Unknown)
    latest = max(own, key=lambda one: one.begin)
    at = (*time.gmtime(now)[:6], int(now % 1 * 1000))
    demand(latest.begin <= at <= latest.end, "the certificate revocation list is not current", Unknown)
    since = latest.revoked.get(leaf.serial)
    if since is not None:
        demand(moment(created, ISO, "proof.created") < since, "The certificate had been revoked when the seal was made.")
        raise Unknown("the certificate was revoked later, and no trusted timestamp proves that the seal is older")


# ---- Verdict


def verify(data, seal_ca=None, lists=None, now=None):
    """
    Who sealed the document (bytes), None where no seal CA (PEM) is given, and the document. Raises Refused, and Unknown where lists of
    revoked certificates (DER) are given and do not say that its certificate is good.
    """
    now = time.time() if now is None else now
    document = parse(data)
    check_form(document)
    check_subject(document, now)
    check_masks(document)
    check_places(document)
    root = rebuild(document["metadata"], document["proof"])
    demand(root == document["proof"]["merkleRoot"], "The values do not give proof.merkleRoot.")
    check_signature(document["proof"])
    if seal_ca is None:
        return None, document
    leaf, authority = check_certificate(document["proof"], seal_ca)
    if lists is not None:
        check_revocation(document["proof"]["created"], leaf, authority, lists, now)
    return leaf.name, document


def judge(data, seal_ca=None, lists=None):
    try:
        owner, _ = verify(data, seal_ca, lists)
    except Unknown as error:
        return "undecided", str(error)
    except Refused as error:
        return "not valid", str(error)
    return ("undecided", "no seal CA was given") if owner is None else ("valid", f"sealed by {owner}")


def text_of(case, documents):
    """The text of a published case: the document with its replacements."""
    made = documents[case["document"]]
    for old, new, *times in case["replace"]:
        made = made.replace(old, new * times[0] + old if times else new)
    return made.encode()


def judge_cases(vectors):
    for case in vectors["cases"] + vectors["registerCases"] + vectors["authorityCases"] + vectors["revocationCases"]:
        data = text_of({"replace": [], **case}, vectors["documents"])
        trusted = case.get("sealCa", vectors["sealCa"]) if case.get("trust") != "none" else None
        lists = [base64.b64decode(data) for data in case["lists"]] if "lists" in case else None
        verdict, reason = judge(data, trusted, lists)
        yield {"name": case["name"], "verdict": verdict, "reason": reason}


def say(line, out=None):
    """Prints text of a document, in which control characters would steer the terminal, as one plain line."""
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    print(plain, file=out)


MAX_LISTS = 8


def main(first=None, second=None, *more):
    is_option = first is not None and first.startswith("--")
    is_well_used = first in ("--vectors", "--roots") and second is not None and not more
    if first is None or len(more) > MAX_LISTS or (is_option and not is_well_used):
        print(__doc__, file=sys.stderr)
        return 2
    sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that cannot show a name
    try:
        contents = [open(name, "rb").read() for name in (first, second, *more) if name and not name.startswith("--")]
        if first == "--vectors":
            print(json.dumps(list(judge_cases(json.loads(contents[0])))))
            return 0
        if first == "--roots":
            vectors = json.loads(contents[0], parse_int=float)["vectors"]
            print(json.dumps([rebuild(vector["metadata"], vector) for vector in vectors]))
            return 0
        seal_ca = contents[1].decode("utf-8", "replace") if second else None
        owner, document = verify(contents[0], seal_ca, contents[2:] or None)
    except OSError as error:
        say(f"cannot be read: {error}", sys.stderr)
        return 3
    except Unknown as error:
        say(f"fits, but it is not known whether it holds: {error}", sys.stderr)
        return 4
    except Refused as error:
        kind = next((kind for kind in (Unreadable, BadAuthority) if isinstance(error, kind)), Refused)
        said, code = {Unreadable: ("cannot be read", 3), BadAuthority: ("wrong usage", 2), Refused: ("not valid", 1)}[kind]
        say(f"{said}: {error}", sys.stderr)
        return code
    subject = document["proof"]["subject"]
    say(f"product {subject['productId']} of operator {subject['operator']['regId']}, sealed {subject['created']}")
    say("not sealed: status, archive, times, names and role of the operator, facility")
    if owner is None:
        say("fits, but its owner is unknown: pass the seal CA certificate", sys.stderr)
        return 4
    say(f"valid: sealed by {owner}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
