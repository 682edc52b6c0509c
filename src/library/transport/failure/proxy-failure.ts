// Recognises the failures of a proxy, which are not those of the server behind it.
import type { ErrorExplanation } from '../../errors';
import { causesOf } from '../../util/thrown';

/** Message of the error whose cause is why a proxy opened no tunnel. */
export const NO_TUNNEL = 'the proxy opened no tunnel';

/** The status with which a proxy refused to open a tunnel; undefined for any other failure. */
export function readProxyRefusal(error: Error): number | undefined {
  // undici's message; the error has no other trace of the status.
  const found = causesOf(error).map(({ message }) => /^Proxy response \((\d{3})\) /.exec(message)?.[1]);
  const status = found.find((text) => text !== undefined);
  return status === undefined ? undefined : Number(status);
}

/** Why a proxy failed and what to do next; undefined for a failure of the server. */
export function explainProxyFailure(
  error: Error,
  code: string | undefined,
): Pick<ErrorExplanation, 'why' | 'next'> | undefined {
  const status = readProxyRefusal(error);
  if (status === 407) {
    return {
      why: 'The proxy requires a user and a password (407).',
      next: 'Set network.proxyAuthorization, or write them into the address of the proxy (network.proxy).',
    };
  }
  if (status !== undefined) {
    return {
      why: `The proxy refused to connect to the server (${status}).`,
      next: 'Check what the proxy allows, and whether it can reach the server.',
    };
  }
  if (code !== 'ECONNREFUSED' || !causesOf(error).some(({ message }) => message === NO_TUNNEL))
    return undefined;
  return {
    why: `Nothing listens at the address of the proxy (${code}).`,
    next: 'Start the proxy, or correct its address (network.proxy).',
  };
}
