// Who may talk to the demo server: programs on this computer, and no page of another site. Pure.

/** The `Host` header names this computer: a loopback address or a localhost name, with any port. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(host ?? '')?.[1]?.toLowerCase();
  return name !== undefined && /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name);
}

/** No origin, or a page served by this computer; a sandboxed page's `null` is foreign. */
export function isAllowedOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  const host = /^https?:\/\/([^/]*)$/i.exec(origin)?.[1];
  return host !== undefined && isLoopbackHost(host);
}
