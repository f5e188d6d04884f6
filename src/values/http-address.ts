/** URLs of a server that listens on this machine. */

/** The URL of a server that listens on this host, which may be an IPv6 address. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The URL at which programs on this machine reach it; `localhost` stands for all addresses. @example localAddressOf('::', 80) // 'http://localhost:80' */
export function localAddressOf(host: string, port: number): string {
  return addressOf(host === '0.0.0.0' || host === '::' ? 'localhost' : host, port);
}
