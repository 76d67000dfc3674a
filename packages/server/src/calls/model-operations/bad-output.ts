import type { Fit } from '../../json-schema/compile.ts';
import type { Unchecked } from '../../json-schema/schemas.ts';
import { joinPath } from '../../lib/json-value.ts';
import type { AnswerError } from '../model/operation.ts';

/** Never quotes the answer. */
export function badOutput(model: string, fault: string, cure = 'call again'): AnswerError {
  const message = `The model ${model} ${fault}; ${cure}.`;
  return { kind: 'error', code: 'BAD_OUTPUT', message };
}

export function noToolOffered(model: string): AnswerError {
  return badOutput(model, 'called a tool although none was offered');
}

export function unfitting(
  model: string,
  fit: Fit | Unchecked,
  path: string,
): AnswerError | undefined {
  switch (fit.kind) {
    case 'fits':
      return undefined;
    case 'misfit': {
      const rule = fit.at === '' ? path : joinPath(path, fit.at);
      return badOutput(model, `returned JSON that does not match ${rule}`);
    }
    case 'unchecked': {
      const cure = 'simplify its patterns, references and lists';
      return badOutput(
        model,
        `returned JSON that takes too long to validate against ${path}`,
        cure,
      );
    }
  }
}
