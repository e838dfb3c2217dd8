// Which network addresses no hook may talk to.
import { BlockList, isIP } from 'node:net';

/**
 * True for addresses that belong to the machine's own link or to the services clouds answer on with credentials, also
 * when they are written as IPv6. Loopback and private networks are allowed: that is where people's own services are.
 */
export function isRefusedAddress(address: string): boolean {
  const [bare = ''] = address.split('%');
  const family = isIP(bare);
  if (family === 0) return false;
  refused ??= refusedNetworks();
  return refused.check(bare, family === 4 ? 'ipv4' : 'ipv6');
}

let refused: BlockList | undefined;

function refusedNetworks(): BlockList {
  const list = new BlockList();
  // Every IPv4 network is also refused in the ways IPv6 can carry it: compatible, NAT64 and 6to4.
  for (const [network, prefix] of [
    ['169.254.0.0', 16],
    ['100.100.100.200', 32],
    ['168.63.129.16', 32],
    ['192.0.0.192', 32],
  ] as const) {
    list.addSubnet(network, prefix, 'ipv4');
    list.addSubnet(`::${network}`, 96 + prefix, 'ipv6');
    list.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
    list.addSubnet(`2002:${hexadecimal(network)}::`, 16 + prefix, 'ipv6');
  }
  list.addSubnet('fe80::', 10, 'ipv6');
  list.addAddress('fd00:ec2::254', 'ipv6');
  list.addAddress('fd20:ce::254', 'ipv6');
  return list;
}

function hexadecimal(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
