import { findArticles } from './articles.ts';
import { findAvoidedWords } from './avoided-words.ts';
import { findBannedSyntax } from './banned-syntax.ts';
import { findErrorCodes } from './error-codes.ts';
import type { Finding } from './finding.ts';
import { findFixtures } from './fixtures.ts';
import { findFolderPairs } from './folder-pairs.ts';
import { findGlobals } from './globals.ts';
import { findHiddenCasts } from './hidden-casts.ts';
import { findMarkdown } from './markdown.ts';
import { findNames } from './names.ts';
import { findPatterns } from './patterns.ts';
import { findProcesses } from './processes.ts';
import type { Project } from './project.ts';
import { findSentences } from './sentences.ts';
import { findSizes } from './sizes.ts';
import { findSql } from './sql.ts';
import { findForeignText } from './strangers.ts';
import { findTiers } from './tiers.ts';
import { findUndocumented } from './undocumented.ts';
import { findWaits } from './waits.ts';
import { findWords } from './words.ts';

const rules: readonly ((project: Project) => readonly Finding[])[] = [
  findSizes,
  findNames,
  findGlobals,
  findBannedSyntax,
  findUndocumented,
  findSql,
  findErrorCodes,
  findMarkdown,
  findPatterns,
  findFixtures,
  findForeignText,
  findWords,
  findWaits,
  findTiers,
  findProcesses,
  findFolderPairs,
  findHiddenCasts,
  findArticles,
  findAvoidedWords,
  findSentences,
];

/** Every breach of every rule, by path and line. */
export function findAll(project: Project): readonly Finding[] {
  return rules
    .flatMap((rule) => rule(project))
    .toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}
