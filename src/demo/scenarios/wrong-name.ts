// A model that spells the names of its tools as it hears them: every "a" but the first letter is lost.
import { nativeTurn } from '../model-steps';
import type { Scenario } from '../scenario';

export const wrongName: Scenario = {
  name: 'wrong-name',
  summary: 'Calls tools natively by a name that is nearly right: `get_wether`.',
  reply: (request) => {
    const turn = nativeTurn(request);
    return { ...turn, toolCalls: turn.toolCalls.map((call) => ({ ...call, name: misspell(call.name) })) };
  },
};

/** A tool that has the misspelled name already is called by it, so that renaming the tool helps. */
const misspell = (name: string): string => name.charAt(0) + name.slice(1).replaceAll('a', '');
