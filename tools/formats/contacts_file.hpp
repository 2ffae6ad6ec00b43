#pragma once

#include <widephase/contacts.hpp>

#include "tools/formats/output_file.hpp"

namespace widephase::tools {

/// All contact arrays; `world_offset` if the contacts have it, `body` if bodies are given.
template <int D, class T>
void write_contacts_npz(const ContactBuffer<D, T>& contacts, OutputFile& file,
                        const Column<std::int32_t, 2>* bodies = nullptr);

/// One line per point: a,b,nx,ny[,nz],px,py[,pz],point_depth,feature.
template <int D, class T>
void write_contacts_csv(const ContactBuffer<D, T>& contacts, OutputFile& file);

}  // namespace widephase::tools
