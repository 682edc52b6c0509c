// One strip of what is asked and what is expected: the message with its placeholders marked, and the names of the expectations.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { editExpectation } from '../../actions/evaluate-document';
import type { DocumentSnapshot } from '../../../src/protocol';
import { nameOfExpectation } from '../../evaluate/expectation-words';
import { countOwn } from '../../evaluate/own-rows';
import { focusSoon, messageBox } from '../../focus/focus';
import { icon } from '../../icons';
import type { Playground } from '../../playground';
import { countOf, toOneLine } from '../../text/format';
import { renderCut } from '../controls/prose';

const MAX_NAMED = 8;
/** In characters; what can fit into one line. */
const MAX_LINE = 500;

export function renderAsk(playground: Playground): TemplateResult {
  const { document: snapshot } = playground.state.session;
  const expect = snapshot?.document.expect ?? [];
  const names = expect.slice(0, MAX_NAMED).map((each, index) => nameOfExpectation(each, index));
  const more = expect.length - names.length;
  const open = (): void => {
    playground.setView({ view: 'chat' });
    focusSoon(messageBox);
  };
  return html`<div class="ask">
    <div>
      <button class="ghost muted" type="button" title=${t('Edit the message in the chat')} @click=${open}>
        ${icon('right')}${t('Message')}
      </button>
      <p class="clip">${renderMessage(playground)}</p>
    </div>
    <div>
      <button
        class="ghost muted"
        type="button"
        title=${t('Edit the first expectation')}
        ?disabled=${expect.length === 0}
        @click=${() => editExpectation(playground, 0)}
      >
        ${icon('right')}${t('Expectations')}
      </button>
      <p class="clip ${names.length === 0 ? 'muted' : ''}">
        ${names.length === 0 ? describeNone(snapshot) : renderCut([...names, ...(more > 0 ? [t('{0} more', more)] : [])].join(' · '), MAX_LINE)}
      </p>
    </div>
  </div>`;
}

function describeNone(snapshot: DocumentSnapshot | undefined): string {
  const { own } = countOwn(snapshot, '$expect');
  return own === 0 ? t('none') : countOf(own, t('{0} row has its own'), t('{0} rows have their own'));
}

/**
 * The message that the model is asked, and how many after it are not sent: the first one of a user that no pinned message
 * answers.
 */
function renderMessage(playground: Playground): unknown {
  const { document: snapshot } = playground.state.session;
  const { own, rows } = countOwn(snapshot, '$messages');
  if (own > 0 && own === rows)
    return countOf(
      own,
      t('{0} row chooses from the messages of the chat what is asked'),
      t('{0} rows choose from the messages of the chat what is asked'),
    );
  const messages = snapshot?.document.messages ?? [];
  const asked = messages.findIndex(
    ({ role }, index) => role === 'user' && !['assistant', 'tool'].includes(messages[index + 1]?.role ?? ''),
  );
  const text = messages[asked]?.content ?? snapshot?.draft ?? '';
  const later = asked === -1 ? 0 : messages.length - asked - 1;
  if (text.trim() === '') return html`<span class="muted">${t('none: write one in the chat')}</span>`;
  const parts = toOneLine(text.slice(0, MAX_LINE)).split(/(\{\{[^{}]{1,100}\}\})/);
  const rest = countOf(
    later,
    t('{0} later message is not sent: a sample ends with the answer to this one.'),
    t('{0} later messages are not sent: a sample ends with the answer to this one.'),
  );
  return html`${later > 0 ? html`<span class="muted later">${rest}</span> ` : ''}${parts.map((part, index) =>
    index % 2 === 1 ? html`<var>${renderCut(part)}</var>` : renderCut(part, MAX_LINE),
  )}`;
}
