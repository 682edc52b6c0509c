// Describes a call in YAML that could not be read to a person.
import { CUT_HINT, describeCall } from '../core/refusals';
import type { Refusal, RejectionReading } from '../core/rescue-format';
import type { YamlReading } from './yaml-reader';

/**
 * @param name Undefined when it was not read.
 * @param failure Undefined when the YAML was never closed, so that its last value may be cut.
 */
export const toYamlRejection = (
  name: string | undefined,
  span: { start: number; end: number },
  failure: YamlReading['failure'],
): RejectionReading => ({
  kind: 'rejection',
  ...span,
  ...(name !== undefined && { name }),
  ...toRefusal(describeCall(name), failure),
});

function toRefusal(whose: string, failure: YamlReading['failure']): Refusal {
  if (!failure) {
    const detail = `${whose} is YAML that nothing closes: the reply was cut. Nothing was run.`;
    return { reason: 'truncated', detail, hint: CUT_HINT };
  }
  const { reason, at } = failure;
  if (reason === 'too-deep') return { reason, detail: `${whose} is nested more than 128 levels deep.` };
  const detail = `${whose} is not YAML that rescue can read: it failed at offset ${at}.`;
  return { reason, detail };
}
