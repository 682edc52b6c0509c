// Describes a call in YAML that could not be read to a person.
import { CUT_HINT } from '../core/refusals';
import type { RejectionReading } from '../core/rescue-format';
import type { YamlReading } from './yaml-reader';

/**
 * @param name Undefined when it was not read.
 * @param failure Undefined when the YAML was never closed, so that its last value may be cut.
 */
export function toYamlRejection(
  name: string | undefined,
  { start, end }: { start: number; end: number },
  failure: YamlReading['failure'],
): RejectionReading {
  const whose = name === undefined ? 'A call' : `The call of \`${name.slice(0, 64)}\``;
  const base = { kind: 'rejection' as const, start, end, ...(name !== undefined && { name }) };
  if (!failure) {
    const detail = `${whose} is YAML that nothing closes: the reply may have been cut. Nothing was run.`;
    return { ...base, reason: 'truncated', detail, hint: CUT_HINT };
  }
  const { reason, at } = failure;
  const what =
    reason === 'too-deep'
      ? 'is nested more than 128 levels deep'
      : `is no YAML that is read here: the reading failed at offset ${at}`;
  return { ...base, reason, detail: `${whose} ${what}.` };
}
