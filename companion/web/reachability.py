"""What on this computer keeps phones away? ``companion run`` asks when it begins."""

from __future__ import annotations

import ipaddress
import plistlib
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from companion.engine.text import Name, Sentence, say

VPN_ADAPTERS = ("tun", "tap", "utun", "wg", "ppp", "tailscale", "zt", "ipsec")  # what VPNs call themselves on Linux and macOS
VPN_ADDRESSES = ipaddress.ip_network("100.64.0.0/10")  # of no room's router, but of VPNs between machines
UFW, FIREWALLD = Path("/etc/ufw/ufw.conf"), Path("/run/firewalld")
MACOS = Path("/Library/Preferences/com.apple.alf.plist")
POWER = Path("/sys/class/power_supply")
SIOCGIFADDR = 0xC0206921 if sys.platform == "darwin" else 0x8915  # asks for an adapter's address


def found(host: str, address: str, port: int) -> list[Sentence]:
    """Return the reasons that this computer finds why phones can't open Companion, the worst first.

    Args:
        host: what Companion listens on; "0.0.0.0" is every network.
        address: the one at which phones are told to come.
        port: the port there.
    """
    if _is_own(host):
        return [say("Companion listens to this computer only. For phones, start it without --host.")]
    if _is_own(address):
        return [say("This computer is in no network. Join the wifi that the phones are in, and start Companion again.")]
    seen: list[Sentence] = []
    for look in (_vpn(address), _firewall(port), _battery()):
        with suppress(Exception):  # whatever this computer's files hold: Companion begins all the same
            seen += look
    return seen


def _is_own(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _vpn(address: str) -> Iterator[Sentence]:
    try:
        between_machines = ipaddress.ip_address(address) in VPN_ADDRESSES
    except ValueError:  # a name
        between_machines = False
    if between_machines or address in _vpn_addresses():
        yield say("{address} is this computer’s address in a VPN. Switch the VPN off while you play.", address=Name(address))


def _vpn_addresses() -> Iterator[str]:
    """Yield the IPv4 addresses of this computer's VPN adapters."""
    import fcntl  # Windows has none, and no such adapters' names either

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for _, name in socket.if_nameindex():
            if name.startswith(VPN_ADAPTERS):
                with suppress(OSError):  # an adapter that is down has no address
                    answer = fcntl.ioctl(any_socket, SIOCGIFADDR, struct.pack("40s", name.encode()))  # an ifreq
                    yield socket.inet_ntoa(answer[20:24])


def _firewall(port: int) -> Iterator[Sentence]:
    if _ufw() or FIREWALLD.exists() or _macos():
        yield say(
            "This computer has a firewall. If phones find nothing, let it accept connections to port {port}.",
            port=Name(str(port)),
        )


def _ufw() -> bool:
    return UFW.exists() and "ENABLED=yes" in UFW.read_text("utf-8").splitlines()


def _macos() -> bool:
    return MACOS.exists() and bool(plistlib.loads(MACOS.read_bytes())["globalstate"])


def _battery() -> Iterator[Sentence]:
    kinds = POWER.glob("*/type")
    plugs = {
        (kind.parent / "online").read_text("utf-8").strip() for kind in kinds if kind.read_text("utf-8").strip() == "Mains"
    }
    if plugs == {"0"}:
        yield say("This computer runs on its battery. While it sleeps, no phone reaches it: keep it awake.")
