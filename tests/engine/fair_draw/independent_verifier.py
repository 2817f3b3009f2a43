"""Were these fish drawn fairly, by docs/fair-draws.md alone? python this_file.py match.json checks a record."""

import hashlib
import hmac
import json
import sys


def check(record: dict) -> int:
    suits = ["moons", "suns", "waves", "leaves", "wyrms", "knots"]
    options, seed, drawn = record["options"], bytes.fromhex(record["seed"]), 0
    assert hashlib.sha256(seed).hexdigest() == options["seal"].lower(), "another seed was sealed"
    message = b"companion-bag/1"
    for word in options.get("words", []):
        message += len(word.encode()).to_bytes(4, "big") + word.encode()
    key = hmac.digest(seed, message, "sha256")
    bag = [suit for suit in suits for _ in range(options.get("fish_per_suit", 7))]
    for number, event in enumerate(record["events"]):
        for suit in event.get("fish", event.get("drawn", [])):
            if event["drawn_by"] == "app":
                blocks = [drawn.to_bytes(8, "big") + block.to_bytes(4, "big") for block in range(8)]
                stream = b"".join(hmac.digest(key, block, "sha256") for block in blocks)
                accepted = [byte for byte in stream if byte < 256 - 256 % len(bag)]
                assert suit == bag[accepted[0] % len(bag)], f"event {number}: another fish was drawn"
                drawn += 1
            bag.remove(suit)
        bag = sorted(bag + event.get("returned", []), key=suits.index)
    return drawn


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123  # it imports as little as it can
        print(check(json.load(file)), "fish, each as seed and words draw it")
