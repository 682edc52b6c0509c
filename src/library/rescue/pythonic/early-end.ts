// Notices a call whose closing bracket came before one of its arguments.
import { toRecord } from '../../util/json';
import { findProperties } from '../schema/schema-types';
import type { ReadFailure } from '../core/json-reading';
import type { RescueContext } from '../core/rescue-context';
import type { ReadCall } from '../core/rescue-format';

/** @returns The failure if at `at`, behind the call, a parameter of its tool is written that the call lacks. */
export function findEarlyEnd(
  { text, tools }: RescueContext,
  call: ReadCall,
  at: number,
): ReadFailure | undefined {
  const [, key] = NEXT_ARGUMENT.exec(text.slice(at, at + LONGEST_ARGUMENT)) ?? [];
  if (key === undefined) return undefined;
  const declared = findProperties(tools.resolve(call.name)?.tool.parameters) ?? {};
  const isLacking = Object.hasOwn(declared, key) && !Object.hasOwn(toRecord(call.arguments), key);
  return isLacking ? { reason: 'malformed', at, inside: 'the arguments' } : undefined;
}

const LONGEST_ARGUMENT = 128;
/**
 * A key, perhaps in quotes or tokens. On a line of its own, only a comma shows that it belongs to the call. `call:` is no
 * key, because the next call may begin with it.
 */
const NEXT_ARGUMENT =
  /^[)}]{0,3}[ \t]{0,8}(?:,\s{0,16})?(?:["']|<[^<>\s]{1,8}>)?(?!call\s{0,4}:)([A-Za-z_][\w.$-]{0,63})(?:["']|<[^<>\s]{1,8}>)?[ \t]{0,4}[:=](?!=)/;
