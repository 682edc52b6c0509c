// A model that misspells the names of its tools: it omits every "a" except a first letter.
import { nativeTurn } from '../model/model-steps';
import type { Scenario } from '../model/scenario';

export const wrongName: Scenario = {
  name: 'wrong-name',
  summary: 'Calls tools natively by a name that is nearly right: `get_wether`.',
  reply: (request) => {
    const turn = nativeTurn(request);
    return { ...turn, toolCalls: turn.toolCalls.map((call) => ({ ...call, name: misspell(call.name) })) };
  },
};

/** A tool with the misspelled name is called by that name, so renaming the tool helps. */
const misspell = (name: string): string => name.charAt(0) + name.slice(1).replaceAll('a', '');
