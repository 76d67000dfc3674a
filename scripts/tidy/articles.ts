import type { Finding } from './finding.ts';
import { proseLines } from './markdown.ts';
import type { Project } from './project.ts';
import type { Source, TextFile } from './source.ts';
import { history } from './words.ts';

/** Words spelled with a vowel and spoken with a consonant: a user, a URL, a one-shot event. */
const asConsonant =
  /^(?:uni(?!n|m)|us(?:[aeu]|\b)|uti|ub|eu|ur[ai]|onc?e\b|u(?:rl|sd|uid|tc|tf|i)s?\b)/i;

/** Words spelled with a consonant and spoken with a vowel: an hour, an HTTP API, an 8. */
const asVowel =
  /^(?:hours?\b|hono|honest|heir|n(?:pm|ginx)\b|mgk|8\d?(?!\d)|1[18](?!\d)|[FHLMNRSX][B-DF-HJ-NP-TV-Z]{2,}\b)/;

/** Words that are spoken letter by letter or as a word: a SIGHUP, an LlmError. */
const asEither = /^(?:[FHLMNRSX][A-Z]|Llm|[A-Za-z]$)/;

/** What follows "a" where that is a name and no article. */
const afterName = /^(?:and|are|as|at|if|in|into|is|of|on|or|until|also)$/i;

/** Each "a" before the sound of a vowel, and "an" before that of a consonant. */
export function wrongArticles(text: string): readonly string[] {
  const found = text.matchAll(/(?<![\w'’"`\-.,/<{([=])(an?)\s+["“‘]?([A-Za-z\d][\w-]*)/gi);
  return [...found].flatMap(([whole, article = '', word = '']) => {
    if (afterName.test(word)) return [];
    const isException = asVowel.test(word);
    if (!isException && asEither.test(word)) return [];
    const isVowel = isException || (/^[aeiou]/i.test(word) && !asConsonant.test(word));
    return isVowel === (article.length === 2) ? [] : [whole];
  });
}

/** Articles that do not fit their word, as mechanical renames leave them. */
export function findArticles({ files, sources }: Project): readonly Finding[] {
  const documents = files.filter(({ path }) => /\.md$/.test(path) && !history.test(path));
  return [...sources.flatMap(inSource), ...documents.flatMap(inDocument)];
}

function inSource({ path, comments, nodes, lineOf }: Source): readonly Finding[] {
  const inComments = comments.flatMap(({ text, line }) =>
    findingsIn(path, line, text.replaceAll(/\n\s*\*/g, ' ')),
  );
  if (!/^packages\/[^/]+\/src\//.test(path)) return inComments;
  const literals = nodes.flatMap(({ node: { type, start, value } }) => {
    const text = type === 'TemplateElement' ? Object(value).cooked : value;
    return typeof text === 'string' ? findingsIn(path, lineOf(start), text) : [];
  });
  return [...inComments, ...literals];
}

function inDocument({ path, text }: TextFile): readonly Finding[] {
  return proseLines(text).flatMap(({ prose, line }) => findingsIn(path, line, prose));
}

function findingsIn(path: string, line: number, text: string): readonly Finding[] {
  const prose = text.replaceAll(/\]\([^)]*\)/g, '').replaceAll(/`[^`]*`/g, '`');
  return wrongArticles(prose).map((words) => {
    const cure = `write the article as it is spoken, not "${words}"`;
    return { path, line, rule: 'articles', cure };
  });
}
