/**
 * Rejects control, zero-width and direction-changing characters and lone surrogates. Allows the
 * joiners of Indic letters and emoji.
 */
export const visibleLine = {
  pattern:
    '^(?=.*\\S)(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$',
  rule: 'one line of visible text',
} as const;
