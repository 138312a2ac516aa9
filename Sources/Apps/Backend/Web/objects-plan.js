// Objects in a table: what a cell shows, what is typed into it, and filters. Pure functions, without a page.

export const PAGE = 50; // rows

const ALWAYS = ['objectId', 'createdAt', 'updatedAt', 'ACL'];
const FIXED = ['objectId', 'createdAt', 'updatedAt'];
const UNEDITED = ['Relation', 'Bytes', 'Polygon', 'File'];

/** The names of a class's own fields. */
export const ownOf = (fields) => Object.keys(fields).filter((name) => !ALWAYS.includes(name)).sort();

// The fields that the classes of Parse have from the start.
const PARSES = {
  _User: ['username', 'password', 'email', 'emailVerified', 'authData'],
  _Role: ['name', 'users', 'roles'],
  _Session: ['user', 'installationId', 'sessionToken', 'expiresAt', 'createdWith'],
  _Installation: ['installationId', 'deviceToken', 'channels', 'deviceType', 'pushType', 'GCMSenderId', 'timeZone',
    'localeIdentifier', 'badge', 'appVersion', 'appName', 'appIdentifier', 'parseVersion'],
  _Audience: ['name', 'query', 'lastUsed', 'timesUsed'],
};

/** True for a field that the hub keeps as Parse has it: it gets no rule, and is not needed. */
export const isParses = (className, name) => PARSES[className]?.includes(name) ?? false;

/** {name, type, target, isFixed} of each column: the id, the class's own fields, then times and rights. */
export function columnsOf({ className, fields }) {
  return ['objectId', ...ownOf(fields), 'createdAt', 'updatedAt', 'ACL'].map((name) => {
    const { type, targetClass: target = '' } = fields[name] ?? { type: 'String' };
    const isFixed = FIXED.includes(name) || UNEDITED.includes(type)
      || (className === '_Session' && name === 'sessionToken');
    return { name, type: name === 'ACL' ? 'Object' : type, target, isFixed };
  });
}

const timeOf = (instant, locale) =>
  new Date(instant).toLocaleString(locale, { dateStyle: 'short', timeStyle: 'medium' });

/** What a cell shows. */
export function shown(value, locale) {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  switch (value.__type) {
    case 'Date': return timeOf(value.iso, locale);
    case 'Pointer': return value.objectId;
    case 'File': return value.name;
    case 'GeoPoint': return `${value.latitude}, ${value.longitude}`;
    case 'Relation': return value.className;
    default: return JSON.stringify(value);
  }
}

/** The same for a column: times of the object itself are plain text. */
export const cell = (object, { name }, locale) => (
  ['createdAt', 'updatedAt'].includes(name) ? timeOf(object[name], locale) : shown(object[name], locale));

/** What one edits: the value as it would be typed. */
export const typed = (value) => (value?.__type === 'Date' ? value.iso : shown(value));

const NUMBER = /^[-+]?(\d+([.,]\d*)?|[.,]\d+)(e[-+]?\d+)?$/i;
const THOUSANDS = /^[-+]?[1-9]\d{0,2},\d{3}$/; // or thousandths: 1,234 is either
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?))?$/;

/** The time that a text means, by this device's zone if it names none. No browser guesses, as at 03.04.26. */
function timeIn(text) {
  const [, day, time = '00:00'] = TIME.exec(text) ?? [];
  const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day); // there is no 30 February
  const at = new Date(`${day}T${time}`);
  return isDay && !Number.isNaN(at.getTime()) ? at : null;
}

/** {value} of what was typed for a column, or {problem}: the name of what is accepted. Nothing empties the field. */
export function parsed(text, { type, target }) {
  const trimmed = text.trim();
  if (type === 'String') return { value: text === '' ? { __op: 'Delete' } : text };
  if (trimmed === '') return { value: { __op: 'Delete' } };
  switch (type) {
    case 'Number': {
      const value = NUMBER.test(trimmed) && !THOUSANDS.test(trimmed) ? Number(trimmed.replace(',', '.')) : NaN;
      return Number.isFinite(value) ? { value } : { problem: 'number' };
    }
    case 'Boolean':
      return ['true', 'false'].includes(trimmed) ? { value: trimmed === 'true' } : { problem: 'boolean' };
    case 'Date': {
      const at = timeIn(trimmed);
      return at ? { value: { __type: 'Date', iso: at.toISOString() } } : { problem: 'date' };
    }
    case 'Pointer':
    case 'Relation': // of filters alone: one of the objects to which it leads
      return { value: { __type: 'Pointer', className: target, objectId: trimmed } };
    case 'GeoPoint': {
      const parts = trimmed.split(/[,;\s]+/);
      const [latitude, longitude] = parts.map(Number);
      const isPair = parts.length === 2 && !parts.includes('') && !/^[-+]?\d+,\d+$/.test(trimmed); // 54,3 is a number
      const fits = isPair && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
      return fits ? { value: { __type: 'GeoPoint', latitude, longitude } } : { problem: 'place' };
    }
    default: return json(trimmed, type === 'Array');
  }
}

/** {value} of a text that has to be a list or an object as JSON; or {problem}. */
export function json(text, isList) {
  try {
    const value = JSON.parse(text);
    const fits = typeof value === 'object' && value !== null && Array.isArray(value) === isList;
    return fits ? { value } : { problem: isList ? 'list' : 'object' };
  } catch {
    return { problem: isList ? 'list' : 'object' };
  }
}

/** The pattern of a class's or a field's name. */
export const NAME = '[A-Za-z][A-Za-z0-9_]*';

/** The types of field that one can add; one that points to objects of a class is named by that class (`fieldOf`). */
export const TYPES = ['String', 'Number', 'Boolean', 'Date', 'GeoPoint', 'File', 'Array', 'Object'];

/** A field of one of these types, or one that points to a class: `→ Player`. */
export const fieldOf = (type) => (type.startsWith('→ ') ? { type: 'Pointer', targetClass: type.slice(2) } : { type });

export const OPERATORS = ['is', 'not', 'less', 'more', 'has', 'set', 'unset'];

const escaped = (text) => text.replaceAll('\\E', '\\E\\\\E\\Q');

/** {value}: the condition of one line of a filter; or {problem}. */
export function filterOf(column, operator, text) {
  const { name } = column;
  if (operator === 'set' || operator === 'unset') return { value: { [name]: { $exists: operator === 'set' } } };
  if (operator === 'has') return { value: { [name]: { $regex: `\\Q${escaped(text)}\\E`, $options: 'i' } } };
  const { value, problem } = parsed(text, {
    ...column, type: FIXED.includes(name) && name !== 'objectId' ? 'Date' : column.type,
  });
  if (problem) return { problem };
  const wanted = value?.__op ? '' : value;
  if (operator === 'is') return { value: { [name]: wanted } };
  return { value: { [name]: { [{ not: '$ne', less: '$lt', more: '$gt' }[operator]]: wanted } } };
}

/** The address of one page of a class. */
export function questionOf(className, { where, order, skip }) {
  const asked = new URLSearchParams({
    order: order || '-createdAt', limit: String(PAGE), skip: String(skip), count: '1',
  });
  if (where) asked.set('where', JSON.stringify(where));
  return `/classes/${className}?${asked}`;
}

/** The order after a press on a column's head: upwards, downwards, as at first. */
export const nextOrder = (order, name) => (order === name ? `-${name}` : order === `-${name}` ? '' : name);

// The lists of fields whose users may do something with an object, whatever else is permitted.
const POINTING = { find: 'readUserFields', count: 'readUserFields', get: 'readUserFields', update: 'writeUserFields',
  delete: 'writeUserFields' };

/** Who may do something by a class's permissions: 'everybody', 'users', 'nobody' (but the master key), or 'some'. */
export function mayOf(permissions, action) {
  const grant = permissions[action] ?? {};
  const names = Object.keys(grant).filter((name) => grant[name] === true || name === 'pointerFields');
  if (names.includes('*')) return 'everybody';
  if (!names.length) return permissions[POINTING[action]]?.length ? 'some' : 'nobody';
  return names.length === 1 && names[0] === 'requiresAuthentication' ? 'users' : 'some';
}

/** The permission that `mayOf` names; null for 'some', which is written as JSON. */
export const grantOf = (who) => ({ everybody: { '*': true }, users: { requiresAuthentication: true }, nobody: {} })[who]
  ?? null;
