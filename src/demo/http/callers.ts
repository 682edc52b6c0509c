// Decides under which names the demo server may be used. Pure.

/** Whether the `Host` header names this computer: a loopback address or a localhost name, with any port. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(host ?? '')?.[1]?.toLowerCase();
  return name !== undefined && /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name);
}
