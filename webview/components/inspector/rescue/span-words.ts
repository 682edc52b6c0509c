// One-line descriptions of a span's position in the text of a reply and of the damage that was repaired in it.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { RescuedCall } from '../../../../src/types';
import { formatCount } from '../../../text/format';
import { renderCut } from '../../controls/prose';
import { sentence } from '../../../text/sentence';

const MAX_SHOWN = 50;

/** Such as `characters 19 to 118 of content`; the first character is 1, as in findings. */
export function describeSpan({ start, end }: { start: number; end: number }): TemplateResult {
  return html`${sentence(t('characters {0} to {1} of {2}'), formatCount(start + 1), formatCount(end), html`<code>content</code>`)}`;
}

/** The kinds of damage in words; a kind that has none is shown by its name. */
const REPAIR_WORDS: Readonly<Record<string, () => string>> = {
  'attribute-form': () => t('arguments written as attributes'),
  'bad-escape': () => t('a quote or backslash that was not escaped'),
  'broken-head': () => t('a damaged beginning'),
  'broken-tag': () => t('a damaged tag'),
  'code-fence': () => t('a code fence'),
  comment: () => t('a comment'),
  'control-char': () => t('a raw control character'),
  'double-encoded': () => t('JSON written as text'),
  'extra-closer': () => t('a bracket too many'),
  'extra-opener': () => t('a bracket too many'),
  'foreign-body': () => t('a part in the form of another format'),
  'hallucinated-observation': () => t('a result that the model made up'),
  'imitated-history': () => t('an imitated earlier call'),
  'in-unclosed-reasoning': () => t('reasoning that was not closed'),
  'leaked-special-tokens': () => t('tokens of the template'),
  'markdown-labels': () => t('labels in Markdown'),
  'missing-arguments': () => t('no arguments'),
  'missing-close-tag': () => t('a missing closing tag'),
  'missing-closer': () => t('a missing closing bracket'),
  'missing-comma': () => t('a missing comma'),
  'missing-open-tag': () => t('a missing opening tag'),
  'print-wrapper': () => t('a call inside print()'),
  'python-literal': () => t('a value in Python’s spelling'),
  'repeated-call': () => t('a repeated call'),
  'repeated-parameter': () => t('a repeated parameter'),
  'schema-envelope': () => t('arguments wrapped like a schema'),
  'single-quotes': () => t('single quotes'),
  'smart-quotes': () => t('typographic quotes'),
  'stripped-special-tokens': () => t('removed tokens of the template'),
  'tag-alias': () => t('another name of the tag'),
  'token-variant': () => t('another spelling of the token'),
  'trailing-comma': () => t('a comma too many'),
  'unquoted-key': () => t('a key without quotes'),
  'unquoted-string': () => t('a text without quotes'),
  'wrong-close-tag': () => t('a closing tag that does not fit'),
  'wrong-separator': () => t('another separator'),
};

export const repairWord = (kind: string): string =>
  Object.hasOwn(REPAIR_WORDS, kind) ? (REPAIR_WORDS[kind]?.() ?? kind) : kind;

export function describeRepairs({ repairs }: RescuedCall): TemplateResult {
  if (repairs.length === 0) return html`<span class="muted">${t('none needed')}</span>`;
  return html`${repairs
    .slice(0, MAX_SHOWN)
    .map(
      ({ kind, at, note }, index) =>
        html`${index ? ', ' : ''}${sentence(t('{0} at {1}'), html`<span title=${kind}>${renderCut(repairWord(kind), 200)}</span>`, formatCount(at + 1))}${note ? html` (${renderCut(note, 200)})` : ''}`,
    )}`;
}
