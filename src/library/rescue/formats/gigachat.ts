// Calls of GigaChat 3: JSON as a message of its own; from 3.5 on, the tags of DSML with the mark GCML.
import { DSML_SPELLING } from './dsml-spelling';
import { createPairFormat } from '../pairs/pair-format';
import type { RescueFormat } from '../core/rescue-format';
import { toDsmlOpeners } from './deepseek-dsml';
import { gigachatJson } from './json-tokens';

const tags = createPairFormat({
  id: gigachatJson.id,
  title: gigachatJson.title,
  openers: toDsmlOpeners('GCML'),
  spelling: DSML_SPELLING,
  needsWrapper: true,
  label: 'attribute',
  // Not used: `gigachat` writes calls as JSON.
  write: () => '',
});

export const gigachat: RescueFormat = {
  ...gigachatJson,
  title: 'GigaChat 3: JSON as a message of its own, or <｜GCML｜invoke name="…">',
  openers: [...gigachatJson.openers, ...tags.openers],
  parse: (context, at, opener) =>
    (tags.openers.includes(opener) ? tags : gigachatJson).parse(context, at, opener),
};
