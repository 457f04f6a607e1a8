"""Receiver of webhooks for Python 3.8 or newer, without dependencies:

WEBHOOK_SECRET=whsec_… PORT=3000 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
if not SECRET:
    raise SystemExit("WEBHOOK_SECRET is empty")
# The key is the part after the prefix, decoded from base64.
KEY = base64.b64decode(SECRET[len("whsec_") :] if SECRET.startswith("whsec_") else SECRET)

# Any client can send to this address, so do not buffer more of a body than an event needs.
MAX_BODY_BYTES = 1024 * 1024
# Old requests are rejected, so that they can't be replayed. The tolerance allows for small clock differences.
TOLERANCE_SECONDS = 300

# An event can arrive twice. This set forgets the oldest events, and all of them when the process ends; a real
# receiver records processed events in its database, in the transaction that processes them.
MAX_SEEN = 1_000
seen = {}
seen_lock = threading.Lock()


def is_new(event_id):
    with seen_lock:
        if event_id in seen:
            return False
        seen[event_id] = True
        if len(seen) > MAX_SEEN:
            del seen[next(iter(seen))]
        return True


def verified(body, headers):
    """Returns the event, or None if it is not from the service or is too old."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return None
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return None
    message = f"{event_id}.{timestamp}.".encode("utf-8") + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, message, hashlib.sha256).digest())
    # During a rotation there are two signatures, separated by a space.
    signatures = headers.get("webhook-signature", "").split(" ")[:16]
    # Compares in constant time. Compares bytes, because strings would have to be ASCII.
    if not any([hmac.compare_digest(expected, each.encode("utf-8", "replace")) for each in signatures]):
        return None
    webhook = json.loads(body.decode("utf-8"))
    return webhook if webhook["eventId"] == event_id else None


class Receiver(BaseHTTPRequestHandler):
    timeout = 15  # seconds for which a connection may be silent

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= MAX_BODY_BYTES):
            return self.answer(413, "too large, or of unknown length")
        try:
            webhook = verified(self.rfile.read(int(length)), self.headers)
        except (ValueError, KeyError, TypeError, RecursionError):
            # The body isn't JSON, or isn't an event.
            webhook = None
        if webhook is None:
            return self.answer(403, "wrong signature, or an old request")
        if is_new(webhook["eventId"]):
            # Put slow work into a queue: the service waits 15 seconds for the response.
            print(f"{webhook['eventType']}/{webhook['eventAction']} {webhook['eventId']}", flush=True)
        return self.answer(200, "OK")

    def answer(self, status, text):
        body = f"{text}\n".encode()
        self.send_response(status)
        self.send_header("content-type", "text/plain")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128  # waiting connections; with the library's default of 5, a burst takes seconds


if __name__ == "__main__":
    server = Server(("", int(os.environ.get("PORT", "3000"))), Receiver)
    print(f"listening on port {server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
