// Opens the format lab in a page of its own.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { LabClient } from '../../src/protocol';
import { connectHost } from '../host-client';
import { Lab } from './lab';

/** Call it once: there is one line to the host. */
export function openLab(): TemplateResult {
  const lab = new Lab(connectHost((post) => new LabClient(post)));
  void lab.start();
  return html`<pg-lab .lab=${lab}></pg-lab>`;
}
