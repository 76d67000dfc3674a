import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { type Passage, readPassages } from './prose.ts';
import type { Source } from './source.ts';

/** Words spelled with a vowel and spoken with a consonant: a user, a URL, a one-shot event. */
const asConsonant =
  /^(?:uni(?!n|m)|us(?:[aeu]|\b)|uti|ub|eu|ur[ai]|onc?e\b|u(?:rl|sd|uid|tc|tf|i)s?\b)/i;

/** Words spelled with a consonant and spoken with a vowel: an hour, an HTTP API, an 8. */
const asVowel =
  /^(?:hours?\b|hono|honest|heir|n(?:pm|ginx)\b|mgk|8\d?(?!\d)|1[18](?!\d)|[FHLMNRSX][B-DF-HJ-NP-TV-Z]{2,}\b)/;

/** Words that are spoken letter by letter or as a word: a SIGHUP, an LlmError. */
const asEither = /^(?:[FHLMNRSX][A-Z]|Llm|[A-Za-z]$)/;

/** Words after an "a" that is a name and not an article. */
const afterName = /^(?:and|are|as|at|if|in|into|is|of|on|or|until|also)$/i;

/** Each "a" before the sound of a vowel, and "an" before that of a consonant. */
export function wrongArticles(text: string): readonly string[] {
  const matches = text.matchAll(/(?<![\w'’"`\-.,/<{([=])(an?)\s+["“‘]?([A-Za-z\d][\w-]*)/gi);
  return [...matches].flatMap(([whole, article = '', word = '']) => {
    if (afterName.test(word)) return [];
    const isException = asVowel.test(word);
    if (!isException && asEither.test(word)) return [];
    const isVowel = isException || (/^[aeiou]/i.test(word) && !asConsonant.test(word));
    return isVowel === (article.length === 2) ? [] : [whole];
  });
}

/** Articles that do not fit their word, as mechanical renames leave them. */
export function findArticles(project: Project): readonly Finding[] {
  return [...readPassages(project), ...project.sources.flatMap(commentsOf)].flatMap(inPassage);
}

function commentsOf({ path, comments }: Source): readonly Passage[] {
  return comments.map(({ text, line }) => {
    const prose = text.replaceAll(/\n\s*\*/g, '\n').replaceAll(/`[^`]*`/g, '`');
    return { path, line, text: prose };
  });
}

function inPassage({ path, line, text }: Passage): readonly Finding[] {
  return wrongArticles(text).map((words) => {
    const cure = `write the article as it is spoken, not "${words}"`;
    return { path, line, rule: 'articles', cure };
  });
}
