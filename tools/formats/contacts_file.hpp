#pragma once

#include <widephase/contacts.hpp>
#include <widephase/tracker.hpp>

#include "tools/formats/contact_sides.hpp"
#include "tools/formats/output_file.hpp"

namespace widephase::tools {

/// What a tracker says of the contacts of a step.
struct ContactEvents {
  Column<std::int64_t> last_contact, last_point;
  EndedContacts ended;
};

/// All contact arrays, `part` and `world_offset` if the contacts have them, then what is known of
/// the sides, and events: `last_contact`, `last_point`, `ended.pair`, ...
template <int D, class T>
void write_contacts_npz(const ContactBuffer<D, T>& contacts, OutputFile& file,
                        const ContactSides* sides = nullptr,
                        const ContactEvents* events = nullptr);

/// What CSV says of a contact's sides, at the end of the header and of its lines:
/// ,world,kind_a,kind_b,row_a,row_b,key_a,key_b,body_a,body_b[,kept_a,kept_b][,frame][,name_a,name_b].
std::string csv_sides_header(const ContactSides& sides);
std::string csv_sides(const ContactSides& sides, std::size_t contact, int dimension);

/// One line per point: a,b,nx,ny[,nz],px,py[,pz],point_depth,feature[,part_a,part_b], then the
/// sides.
template <int D, class T>
void write_contacts_csv(const ContactBuffer<D, T>& contacts, OutputFile& file,
                        const ContactSides* sides = nullptr);

/// The arrays of a file that `write_contacts_npz` wrote. Their shapes and types are checked, and
/// that offsets rise.
class ContactArrays {
 public:
  /// Throws a `FileError` for a file that does not hold contacts.
  explicit ContactArrays(const std::string& path);

  int dimension() const { return dimension_; }
  Precision precision() const { return precision_; }
  /// Fills buffers of that dimension and precision. Files of earlier versions have no sides: false.
  template <int D, class T>
  bool fill(ContactBuffer<D, T>& contacts, ContactSides& sides) const;

 private:
  const Array* find(std::string_view name) const;
  const Array& required(std::string_view name) const;
  void check(std::string_view name, Type type, std::size_t rows, std::size_t width) const;
  void check_offsets(std::string_view name, std::size_t end) const;
  void check_sides(std::size_t contacts) const;

  std::string path_;
  std::vector<NamedArray> arrays_;
  int dimension_ = 0;
  Precision precision_ = Precision::single;
};

}  // namespace widephase::tools
