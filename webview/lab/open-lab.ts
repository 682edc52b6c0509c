// Creates the format lab in its own page.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { LabClient } from '../../src/protocol';
import { connectHost } from '../host-client';
import { Lab } from './lab';

/** Must be called only once: there is one connection to the host. */
export function openLab(): TemplateResult {
  const lab = new Lab(connectHost((post) => new LabClient(post)));
  void lab.start();
  return html`<pg-lab .lab=${lab}></pg-lab>`;
}
