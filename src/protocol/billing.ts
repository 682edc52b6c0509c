// Whether somebody is paid for the requests of a connection, and whether it reaches a server of the user's own, where a change of
// the model takes long. Pure.
import type { Billing } from '../types';
import type { ConnectionView } from './view-models';

/** This computer, a private network, or a name of a local network, with or without a port. */
const PRIVATE =
  /^(?:localhost|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[?::1\]?|\[?f[cd][\da-f:]+\]?|[\w-]+|[\w.-]+\.(?:local|lan|internal))(?::\d+)?(?:\/|$)/i;

type Placed = Pick<ConnectionView, 'scope' | 'address' | 'usesQuota'>;

/** Not the models of the editor, whose address is words. */
export const isLocal = ({ scope, address, usesQuota = false }: Placed): boolean =>
  scope !== 'built-in' && !usesQuota && PRIVATE.test(address.replace(/^https?:\/\//, ''));

/** Whether requests may cost something. */
export const isHosted = (connection: Placed): boolean =>
  connection.scope !== 'built-in' && !isLocal(connection);

/** @param connection Undefined: it is not there any more. */
export function billingOf(connection: (Placed & Pick<ConnectionView, 'hasRates'>) | undefined): Billing {
  if (!connection) return 'unknown';
  if (connection.hasRates) return 'rates';
  if (connection.usesQuota) return 'quota';
  return isHosted(connection) ? 'unknown' : 'free';
}
