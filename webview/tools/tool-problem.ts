// Texts typed in the view *Tools* that do not parse. The document does not have them, so a run would differ from
// what is shown. Pure.
import { t } from '@vscode/l10n';
import type { ToolView } from '../../src/protocol';
import type { ViewState } from '../state/view-state';
import { findToolField, parseField, showField, toDraft } from './tool-fields';

const MAX_NAME = 60;

/** The problem of the first such field of these tools, as a sentence. */
export function toolProblem(typed: ViewState['fields'], tools: readonly ToolView[]): string | undefined {
  for (const [key, text] of typed) {
    const { tool, place } = findToolField(tools, key) ?? {};
    if (!tool || !place) continue;
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
