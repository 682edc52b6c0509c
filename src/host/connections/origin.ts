// The address of a connection as far as keys and networks go: its origin. Knows no vscode.

/** Scheme, host and port: what a key is bound to. Undefined when the host is no http or https address. */
export function originOf(host: string | undefined): string | undefined {
  const url = host !== undefined && URL.canParse(host) ? new URL(host) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

/** Nothing leaves the machine on these, so http is fine. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
