// Runs the provider's own code for one call. Independent of protocols.
import type { CallContext } from '../../transport/call-context';
import { runInCall } from '../../transport/call-context';
import { untilAborted } from '../../util/abort';
import type { CallEnd } from './call-end';

/** How long a provider that obeys an abort may take to reject, in milliseconds; after that, the call ends without it. */
const STOP_GRACE_MS = 100;

/** One call in two parts: running the provider's own code, and processing its answer. */
export interface TracedCall<Answer, Result> {
  /** Whether `ask` uses the call that it is given, so that no async context is needed to find it. @default false */
  isHandedCall?: boolean;
  ask: (call: CallContext) => Promise<Answer>;
  end: CallEnd<Answer, Result>;
}

/** What the provider's own code throws is a rejection. */
export function beginCall<Answer>(
  context: CallContext,
  isHandedCall: boolean,
  ask: (call: CallContext) => Promise<Answer>,
): Promise<Answer> {
  const { signal } = context;
  const begin = (): Promise<Answer> => (isHandedCall ? ask(context) : runInCall(context, () => ask(context)));
  try {
    return signal ? untilAborted(signal, begin, STOP_GRACE_MS) : begin();
  } catch (error) {
    return Promise.reject(error);
  }
}
