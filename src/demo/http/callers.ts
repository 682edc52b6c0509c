// Decides who may use the demo server: programs on this computer, but no pages of other sites. Pure.

/** Whether the `Host` header names this computer: a loopback address or a localhost name, with any port. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(host ?? '')?.[1]?.toLowerCase();
  return name !== undefined && /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name);
}

/** True without an origin, or for a page served by this computer. The `null` of a sandboxed page is not allowed. */
export function isAllowedOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  const host = /^https?:\/\/([^/]*)$/i.exec(origin)?.[1];
  return host !== undefined && isLoopbackHost(host);
}
