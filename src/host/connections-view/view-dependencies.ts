// What the view of the connections and its commands are given.
import type { ApiKeys, Connection, ConnectionService } from '../../connections';
import type { ErrorInfo } from '../../protocol';
import type { Clock } from '../../session';
import type { StepPlace } from '../dialogs';
import type { ChatWindow } from '../language-model/chat-offer';
import type { PlaygroundFront } from './open-in-playground';
import type { Target } from './pick-target';
import type { StepResult } from './wizard/quick-steps';

export interface ViewDependencies extends PlaygroundFront {
  connections: ConnectionService;
  keys: ApiKeys;
  clock: Clock;
  /** What this window says about the editor's chat. */
  chatWindow: () => ChatWindow;
  /** Describes an error for the user; the result contains no secret. */
  explain: (error: unknown, connection?: Connection) => Promise<ErrorInfo>;
  /** Diagnoses a connection and shows the result in a document. */
  diagnose: (target: Target) => Promise<void>;
  /** Asks for the key of a connection, whether or not that is saved yet. @param place See `askForKey`. */
  askForKey: (connection: Connection, place?: StepPlace) => Promise<StepResult>;
}
