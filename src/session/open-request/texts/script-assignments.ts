// Reads the literal values that variables are assigned in code. Executes nothing. Pure and linear.
import { readValue } from './script-values';

/** A list or an object, or a text, that is assigned at the beginning of a line. */
const ASSIGNED =
  /^[ \t]*(?:export )?(?:const |let |var )?(\w+)(?:[ \t]*:[ \t]*[\w<>[\], |.]{1,80})?[ \t]*=[ \t]*(?=[[{("'`]|[rbf]["']|JSON\.|json\.)/gm;

/** So many values that cannot be read are enough to stop. */
const MAX_FAILED = 20;

export interface Assignments {
  variables: ReadonlyMap<string, unknown>;
  /** What is no literal in these values, by the name of the variable. */
  gaps: ReadonlyMap<string, ReadonlySet<string>>;
}

export function readAssignments(text: string): Assignments {
  const variables = new Map<string, unknown>();
  const gaps = new Map<string, ReadonlySet<string>>();
  let done = 0;
  let failed = 0;
  for (const { 0: found, 1: name = '', index } of text.matchAll(ASSIGNED)) {
    if (index < done || failed > MAX_FAILED) continue;
    const unread = new Set<string>();
    const read = readValue(text, index + found.length, { variables, gaps, unread });
    // One that has no end was read up to the end of the text.
    if (!read) failed += 1;
    if (!read) continue;
    variables.set(name, read.value);
    gaps.set(name, unread);
    done = read.end;
  }
  return { variables, gaps };
}
