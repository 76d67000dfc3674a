import type { JsonObject } from '@model-gateway/contract';
import type { WebhookFormat } from '../../domain/notify.ts';
import { type Alert, sentencesOf, titleOf } from './words.ts';

export function formatBody(alert: Alert, format: WebhookFormat): string {
  return JSON.stringify(bodies[format](alert));
}

const bodies: Readonly<Record<WebhookFormat, (alert: Alert) => JsonObject>> = {
  standard: ({ type, at, data }) => ({ type, timestamp: new Date(at).toISOString(), data }),
  slack: (alert) => slackBody(titleOf(alert), sentencesOf(alert)),
  teams: (alert) => teamsBody(titleOf(alert), sentencesOf(alert)),
};

/** Slack's maximum length of a header. */
const headerMax = 150;
const sectionMax = 3_000;

/**
 * Blocks are plain text, without markup. Slack's notifications show `text`, where three characters
 * must be escaped.
 */
function slackBody(title: string, sentences: string): JsonObject {
  const plain = (text: string, max: number) => {
    return { type: 'plain_text', text: clip(text.replaceAll('`', '"'), max), emoji: false };
  };
  return {
    text: escapeSlack(clip(`${title}: ${sentences}`, sectionMax)),
    blocks: [
      { type: 'header', text: plain(title, headerMax) },
      { type: 'section', text: plain(sentences, sectionMax) },
    ],
  };
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

/** Unlike a text block, a text run has no Markdown. */
function teamsBody(title: string, sentences: string): JsonObject {
  const run = (text: string, more: JsonObject) => ({ type: 'TextRun', text, ...more });
  const line = (inline: JsonObject) => ({ type: 'RichTextBlock', inlines: [inline] });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            line(run(title, { weight: 'Bolder', size: 'Medium' })),
            ...sentences.split('\n').map((text) => line(run(text, {}))),
          ],
        },
      },
    ],
  };
}
