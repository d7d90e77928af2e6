"""Checks an exported audit trail: python3 audit-chain.py < trail.jsonl

A line is an entry. Its hash is the SHA-256 of the entry without "hash", as RFC 8785 writes it in UTF-8. For what entries
hold, whose members have ASCII names and no fractions, that is what json.dumps writes here.
"""

import hashlib
import json
import sys

before = None
count = 0
for line in sys.stdin:
    entry = json.loads(line)
    given = entry.pop("hash")
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if hashlib.sha256(text.encode()).hexdigest() != given:
        sys.exit(f"Entry {entry['sequence']} is not what its hash says.")
    if before is not None and (entry["sequence"], entry["previousHash"]) != (before[0] + 1, before[1]):
        sys.exit(f"Entry {entry['sequence']} does not follow entry {before[0]}.")
    if before is None and (entry["sequence"] == 1) != (entry["previousHash"] == "0" * 64):
        sys.exit(f"Entry {entry['sequence']} is not where the chain begins.")
    before = (entry["sequence"], given)
    count += 1
print(f"{count} entries, {before[0]}:{before[1]}" if before else "0 entries")
