// One turn of a conversation: a message, or a run and its outcome. Drawn again only when its own entry or the
// person's work on it changes.
import type { TemplateResult } from 'lit';
import { renderMessageTurn } from './message-turn';
import { renderModelTurn } from './model-turn';
import { TurnElement } from './turn-element';

export class Turn extends TurnElement {
  override render(): TemplateResult {
    const { entry } = this;
    this.dataset['entry'] = entry.id;
    return entry.kind === 'message' ? renderMessageTurn(this, entry) : renderModelTurn(this, entry);
  }
}
