// What was typed in the view *Tools* and is no value: the document does not have it, so a run would not be what is shown. Pure.
import { t } from '@vscode/l10n';
import type { ToolView } from '../../src/protocol';
import type { TypedTexts } from './tool-fields';
import { parseField, showField, toDraft, toolPlace } from './tool-fields';

const MAX_NAME = 60;

/** The first such field of the tools, or of one of them, in a sentence; it ends as the form says it. */
export function toolProblem(
  typed: TypedTexts,
  tools: readonly ToolView[],
  only?: number,
): string | undefined {
  for (const [key, text] of typed) {
    const place = toolPlace(key);
    const tool = place && tools[place.tool];
    if (!place || !tool || (only !== undefined && only !== place.tool)) continue;
    const draft = toDraft(tool);
    // a field that is gone has no text that counts
    const problem =
      showField(draft, place) === undefined ? undefined : parseField(draft, place, text).problem;
    if (problem !== undefined) return t('Tool {0}: {1}', nameOf(tool), problem);
  }
  return undefined;
}

/** Without the marks of code, which would end in the name. */
const nameOf = ({ name }: ToolView): string => `\`${name.replaceAll('`', "'").slice(0, MAX_NAME)}\``;
