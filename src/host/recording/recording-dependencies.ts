// What recordings are given.
import type { Connections } from '../../connections';
import type { FoundRequest } from '../../session';
import type { StoredExchanges } from '../../session';
import type { Lazy } from '../lazy';
import type { ViewServices } from '../playground/view-options';

export interface RecordingDependencies extends Pick<
  ViewServices,
  'explain' | 'log' | 'extensionUri' | 'pool' | 'wire' | 'lab'
> {
  connections: Lazy<Connections>;
  requestsLeaveFrom: string;
  /** Such as `Provider Playground 0.1.0`. */
  madeBy: string;
  /** Opens a request as a playground, on this connection where that speaks its protocol. */
  openFound: (found: FoundRequest, connectionId: string) => Promise<void>;
  /** Asks which conversation of these is asked again, and which lanes; opens it as an evaluation. */
  replay: (stored: StoredExchanges) => Promise<void>;
  /** Called after each exchange that was stored. */
  onStored: () => void;
}
