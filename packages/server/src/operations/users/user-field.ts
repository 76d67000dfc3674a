import { isWalletOwner, userIdRule } from '../../registry/user-id.ts';
import { type Field, FieldFault, field } from '../description/field.ts';

/** As the app names it. */
export function userField(about: string): Field<string> {
  return field(
    { type: 'string' },
    {
      ...{ about, placeholder: 'user' },
      decode(checked) {
        const text = String(checked);
        if (isWalletOwner(text)) return text;
        throw new FieldFault(userIdRule);
      },
    },
  );
}
