// The registry of the scripted models: one line each, in the order in which people see them.
import type { Scenario } from '../model/scenario';
import { cutOff } from './cut-off';
import { demoEmbed } from './demo-embed';
import { firstLook } from './first-look';
import { flaky } from './flaky';
import { hangs } from './hangs';
import { hermesText } from './hermes-text';
import { jsonFence } from './json-fence';
import { malformedCall } from './malformed-call';
import { nativeCall } from './native-call';
import { onlyRequired } from './only-required';
import { parallelCalls } from './parallel-calls';
import { proseOnly } from './prose-only';
import { rateLimited } from './rate-limited';
import { slow } from './slow';
import { unavailable } from './unavailable';
import { usesResult } from './uses-result';
import { wrongName } from './wrong-name';

export const SCENARIOS: readonly Scenario[] = [
  firstLook,
  nativeCall,
  parallelCalls,
  hermesText,
  jsonFence,
  malformedCall,
  proseOnly,
  onlyRequired,
  wrongName,
  flaky,
  rateLimited,
  unavailable,
  slow,
  hangs,
  cutOff,
  usesResult,
  demoEmbed,
];

/** The model ids in the order in which the protocols list them; the embedding model is the last. */
export const DEMO_MODELS: readonly string[] = SCENARIOS.map((scenario) => scenario.name);

/** Finds a model by its exact id. */
export function findScenario(name: string): Scenario | undefined {
  return SCENARIOS.find((scenario) => scenario.name === name);
}
