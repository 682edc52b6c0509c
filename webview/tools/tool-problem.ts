// Texts typed in the view *Tools* that do not parse. The document does not have them, so a run would differ from
// what is shown. Pure.
import { t } from '@vscode/l10n';
import type { ToolView } from '../../src/protocol';
import type { TypedTexts } from './tool-fields';
import { parseField, showField, toDraft, toolPlace } from './tool-fields';

const MAX_NAME = 60;

/** The problem of the first such field, of all tools or of one, as a sentence. */
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
    // The text of a field that no longer exists is ignored.
    const problem =
      showField(draft, place) === undefined ? undefined : parseField(draft, place, text).problem;
    if (problem !== undefined) return t('Tool {0}: {1}', nameOf(tool), problem);
  }
  return undefined;
}

/** Backticks would end the code markup around the name, so they are replaced. */
const nameOf = ({ name }: ToolView): string => `\`${name.replaceAll('`', "'").slice(0, MAX_NAME)}\``;
