"""A third implementation of the seal rule, written from the README alone: Python's standard library and openssl.

  python3 verify_seal.py passport.json [seal-ca.pem]    verifies a passport; exit code 0 or 1, the reason on stderr
  python3 verify_seal.py --vectors seal-vectors.json    recomputes every published vector
"""
import base64, decimal, hashlib, json, os, re, subprocess, sys, tempfile

REDACTED = "[REDACTED - Privileged Access Required]"


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def utf16(text):
    return text.encode("utf-16-be", "surrogatepass")


def number(value):
    """ECMAScript's Number::toString, which RFC 8785 section 3.2.2.3 prescribes."""
    if value == 0:
        return "0"
    sign, digits, exponent = decimal.Decimal(repr(float(value))).as_tuple()
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
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    members = sorted(value.items(), key=lambda member: utf16(member[0]))
    return "{" + ",".join(f"{canonical(key)}:{canonical(item)}" for key, item in members) + "}"


def leaf_hash(salt, key, value):
    return sha256(b"\0", salt, canonical([key, value]).encode())


def tree(leaves):
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\1", tree(leaves[:split]), tree(leaves[split:]))


def rebuild(metadata, salts, redacted):
    """The root of what is shown; raises ValueError where the document is not the one that was sealed."""
    leaves, places = [], []
    for key in sorted(metadata, key=utf16):
        if metadata[key] == REDACTED and key in redacted:
            leaves.append(bytes.fromhex(redacted[key]))
        elif key in salts:
            salt = base64.urlsafe_b64decode(salts[key] + "==")
            if len(salt) != 16 or base64.urlsafe_b64encode(salt).decode() != salts[key] + "==":
                raise ValueError(f"{key}: this is no salt")
            places.append((key, salt, len(leaves)))
            leaves.append(leaf_hash(salt, key, metadata[key]))
        elif metadata[key] != REDACTED:
            raise ValueError(f"{key}: there is no salt")
    if not places:
        raise ValueError("no value is visible")
    for key, salt, index in places:
        if salt[:4] != index.to_bytes(2, "big") + len(leaves).to_bytes(2, "big"):
            raise ValueError(f"{key}: sealed at another place, or among more or fewer entries")
    return tree(leaves).hex()


def openssl(*arguments):
    return subprocess.run(("openssl",) + arguments, capture_output=True, text=True)


def verify(document, ca=None):
    proof = document["proof"]
    root = rebuild(document["metadata"], proof["salts"], proof.get("redactedLeaves", {}))
    if root != proof["merkleRoot"]:
        raise ValueError("the values do not give proof.merkleRoot")
    with tempfile.TemporaryDirectory() as folder:
        def file(name, content):
            with open(os.path.join(folder, name), "wb") as out:
                out.write(content)
            return os.path.join(folder, name)
        key = file("key.pem", proof["publicKeyPem"].encode())
        seal = file("seal.der", base64.b64decode(proof["signatureValue"], validate=True))
        if openssl("dgst", "-sha256", "-verify", key, "-signature", seal, file("root.txt", root.encode())).returncode:
            raise ValueError("the signature is not one of the root by this key")
        if ca:
            body = "\n".join(re.findall(".{1,64}", proof["x5c"][0]))
            leaf = file("leaf.pem", f"-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n".encode())
            if openssl("verify", "-x509_strict", "-CAfile", ca, leaf).returncode:
                raise ValueError("the certificate does not lead to the seal CA")
            if openssl("x509", "-in", leaf, "-noout", "-pubkey").stdout.strip() != proof["publicKeyPem"].strip():
                raise ValueError("the certificate is of another key")


if __name__ == "__main__":
    load = lambda name: json.load(open(name, encoding="utf-8"))
    try:
        if sys.argv[1] == "--vectors":
            print(json.dumps([rebuild(v["metadata"], v["salts"], {}) for v in load(sys.argv[2])["vectors"]]))
        else:
            verify(load(sys.argv[1]), *sys.argv[2:3])
    except (KeyError, TypeError, ValueError) as error:
        sys.exit(f"not verified: {error}")
