export { bodyOf, jsonBodies } from "@tranche/http/server/json-body";
