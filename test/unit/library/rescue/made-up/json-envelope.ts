// A format that no model writes: JSON in `⟦fn⟧`. One file, like every format.
import { createJsonFormat } from '../../../../../src/library/rescue/json-calls/read-json-calls';
import { writeCallJson } from '../../../../../src/library/rescue/json/write-json';

const OPEN = '⟦fn⟧';
const CLOSE = '⟦/fn⟧';

export const jsonEnvelope = createJsonFormat({
  id: 'made-up-json',
  title: 'JSON in ⟦fn⟧',
  openers: [OPEN],
  closers: [CLOSE],
  write: (calls) => calls.map((call) => `${OPEN}\n${writeCallJson(call)}\n${CLOSE}`).join('\n'),
});
