// Creates the page of a recording.
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { RecordingClient } from '../../src/protocol';
import { connectHost } from '../host-client';
import { Recording } from './recording';

/** Must be called only once: there is one connection to the host. */
export function openRecording(): TemplateResult {
  const recording = new Recording(connectHost((post) => new RecordingClient(post)));
  void recording.start();
  return html`<pg-recording .recording=${recording}></pg-recording>`;
}
