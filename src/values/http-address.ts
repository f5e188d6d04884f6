/** The URL of a server that listens on this host, which may be an IPv6 address. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
