// The origin of a connection's address, for keys and network settings. Independent of vscode.

/** Scheme, host and port, which a key is bound to. Undefined when the host is not an http or https address. */
export function originOf(host: string | undefined): string | undefined {
  const url = host !== undefined && URL.canParse(host) ? new URL(host) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

/** Whether requests stay on this machine, so that plain http is safe. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
