import type { Files } from '../../operations/context/parts.ts';
import { type Fields, field, flag, optional } from '../../operations/description/field.ts';
import { inputSchema, reasonField, type Upload } from '../../operations/description/operation.ts';
import { dryRun, uploadedFiles } from '../../operations/documents/shapes.ts';
import { jsonType, mediaType } from '../http/http.ts';
import { invalid, ofField } from './change.ts';
import type { Answer, RouteContext } from './route.ts';

const bodyBytesMax = 20 * 1_048_576;
const fileBytesMax = 1_024 * 1_048_576;
const pagesType = 'application/x-ndjson';

/** `context.body` contains the sent fields. */
type Change = (context: RouteContext, files: Files) => Promise<Answer>;

export function uploadRoute({ types, needs }: Upload, fields: Fields, change: Change) {
  const files = field(uploadedFiles, { about: 'every file', placeholder: '', decode: Object });
  const json = inputSchema({ ...fields, reason: reasonField, files }, { dryRun });
  const inQuery: Fields = {
    ...fields,
    reason: reasonField,
    dryRun: flag('true: nothing is changed'),
  };
  const query = Object.entries(inQuery).map(([name, one]) => [name, optional(one)]);
  const required = Object.keys(fields).filter(
    (name) => fields[name]?.isRequired === true || needs.includes(name),
  );
  return {
    queryFields: Object.fromEntries(query),
    files: { types, json },
    handle(context: RouteContext): Promise<Answer> {
      const { request, uploads, admin } = context;
      const type = request.headers['content-type'] ?? '';
      return uploads.run(request.disconnected, async (thread) => {
        if (!jsonType.test(type)) {
          const sent = Object(context.query);
          const missing = required.find((name) => sent[name] === undefined);
          if (missing !== undefined) throw invalid(missing, 'required in the query for a raw file');
          const hasPages = mediaType(type) === pagesType;
          const source = { name: 'the file', chunks: request.chunks(fileBytesMax), hasPages };
          return changeBy('body', sent, { names: [], read: () => thread.read([source]) });
        }
        const [named] = Object.keys(Object(context.query));
        if (named !== undefined) {
          throw invalid(named, 'a JSON body contains its own fields; leave out the query');
        }
        const { fileNames, ...sent } = await thread.open(await request.body(bodyBytesMax), json);
        return changeBy('files', sent, { names: fileNames, read: thread.readFiles });
      });

      function changeBy(from: string, body: { readonly reason?: string }, read: Files) {
        return ofField(
          from,
          change({ ...context, body, admin: { ...admin, reason: body.reason } }, read),
        );
      }
    },
  };
}
