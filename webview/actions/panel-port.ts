// What the parts of the controller need from it: the state, and the ways to change it and to reach the host.
import type { DocumentEdit, RequestMethod, RequestParams, RequestResults } from '../../src/protocol';
import type { PanelState } from '../state/panel-state';
import type { ViewState } from '../state/view-state';

export interface PanelPort {
  readonly state: PanelState;
  update(change: (state: PanelState) => PanelState): void;
  changeView(change: (view: ViewState) => ViewState): void;
  save(): void;
  edit(edits: readonly DocumentEdit[], typed?: { gather: string; isLast?: boolean }): Promise<boolean>;
  send<M extends RequestMethod>(method: M, params: RequestParams<M>): Promise<boolean>;
  ask<M extends RequestMethod>(method: M, params: RequestParams<M>): Promise<RequestResults[M] | undefined>;
}
