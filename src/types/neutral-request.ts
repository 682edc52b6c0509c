// A recorded request in provider-neutral form.
import type { Message } from './message';
import type { SamplingParams } from './sampling';
import type { ToolChoice, ToolType } from './tool';

/**
 * What a provider has to be given to send a recorded request again. A part without a neutral form is empty here, and stands
 * in `raw` as it was sent.
 */
export interface NeutralRequest {
  /** '' when the request names none. */
  model: string;
  messages: Message[];
  tools: Pick<ToolType, 'name' | 'description' | 'parameters'>[];
  sampling: SamplingParams;
  toolChoice?: ToolChoice | undefined;
  /** Everything else, under the server's own names. */
  raw: Record<string, unknown>;
  /** Whether the request asks for a stream. */
  isStreamed: boolean;
}

/**
 * What reading a request of another program left out or changed. `no-place`: a playground has no place for it. `joined`: several
 * texts became one. `role`: read as the role `system`.
 */
export interface FormNote {
  /** As `messages[0].name`. */
  path: string;
  why: 'no-place' | 'reasoning' | 'joined' | 'role';
}
